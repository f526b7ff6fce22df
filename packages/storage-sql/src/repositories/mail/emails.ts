import type { Emails } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { cancelAll, cancelEmail, rescheduleEmail, retryEmail } from "./emails/control.ts";
import { findHistory } from "./emails/history.ts";
import { insertEmails } from "./emails/insert.ts";
import { listEmails } from "./emails/list.ts";
import { selectDetails } from "./emails/recipient-details.ts";
import { deleteEmailsBefore, forgetContentsBefore } from "./emails/remove-old.ts";
import { parsePayload, toAttempt, toRecipientDetails } from "./emails/rows.ts";
import { findByUuid, viewRow } from "./emails/with-status.ts";

const findRecipients = prepared((db, { id }: { id: string }) =>
  selectDetails(db)
    .innerJoin("emails as e", "e.id", "r.email_id")
    .where("e.uuid", "=", id)
    .orderBy("r.position"),
);

const findAttempts = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("email_attempts as a")
    .innerJoin("emails as e", "e.id", "a.email_id")
    .selectAll("a")
    .where("e.uuid", "=", id)
    .orderBy("a.number"),
);

const findContent = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("emails as e")
    .innerJoin("contents as c", "c.id", "e.content_id")
    .leftJoin("stylesheet_sets as s", "s.id", "e.stylesheet_set_id")
    .leftJoin("email_payloads as p", "p.email_id", "e.id")
    .select(["c.hash as content_hash", "s.hash as set_hash", "p.payload"])
    .where("e.uuid", "=", id),
);

/** The log of e-mails; the queue has its own repository. */
export const createEmailsRepository = (db: Handle, engine: Engine): Emails => ({
  reserveIds: (count) => engine.reserveIds(db, "emails", count),
  async insert(emails) {
    if (emails.length > 0) await atomically(db, (tx) => insertEmails(tx, engine, emails));
  },
  async find(workspaceId, id, now) {
    const [row] = await findByUuid(db, engine, { id });
    if (row === undefined) return undefined;
    if (workspaceId !== "all" && row.workspace_id !== workspaceId) return undefined;
    return viewRow(row, now);
  },
  async content(id) {
    const [row] = await findContent(db, engine, { id });
    return (
      row && {
        payload: row.payload === null ? undefined : parsePayload(row.payload),
        contentHash: row.content_hash,
        stylesheetSetHash: row.set_hash ?? undefined,
      }
    );
  },
  recipients: async (id) => (await findRecipients(db, engine, { id })).map(toRecipientDetails),
  attempts: async (id) => (await findAttempts(db, engine, { id })).map(toAttempt),
  history: (id) => findHistory(db, engine, id),
  list: (filter, slice, now) => listEmails(db, filter, slice, now),
  cancel: (workspaceId, id, now) => cancelEmail(db, engine, { workspaceId, id, now }),
  cancelAll: async (ids, now) => (ids.length === 0 ? [] : cancelAll(db, engine, ids, now)),
  reschedule: (workspaceId, id, scheduledAt, now) =>
    rescheduleEmail(db, engine, { workspaceId, id, scheduledAt, now }),
  retry: (workspaceId, id, now) => retryEmail(db, engine, { workspaceId, id, now }),
  deleteBefore: (workspaceId, before, limit, after = 0) =>
    deleteEmailsBefore(db, engine, { workspaceId, before, limit, after }),
  forgetContents: (workspaceId, before, limit, after = 0) =>
    forgetContentsBefore(db, engine, { workspaceId, before, limit, after }),
});
