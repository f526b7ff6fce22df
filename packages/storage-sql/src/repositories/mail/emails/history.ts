import type { EmailHistory } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { listHits } from "../../tracking/tracking.ts";
import { parseOrigin } from "./rows.ts";

const findStanding = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom("emails as e")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id")
    .leftJoin("email_queue as q", "q.email_id", "e.id")
    .leftJoin("claim_items as i", "i.email_id", "e.id")
    .leftJoin("claims as c", "c.id", "i.claim_id")
    .leftJoin("template_versions as v", "v.uuid", "e.template_version_id")
    .select(["e.id", "e.origin", "e.api_key_id", "v.number"])
    // It may have changed its route since acceptance.
    .select((eb) => eb.fn.coalesce("q.route", "i.route", "e.route").as("route"))
    .select(["o.settled_at", "q.due_at", "c.worker", "c.claimed_at"])
    .where("e.uuid", "=", id),
);

const findReports = prepared((db, { emailId }: { emailId: number }) =>
  db
    .selectFrom("recipient_reports")
    .selectAll()
    .where("email_id", "=", emailId)
    .orderBy("at")
    .orderBy("position")
    .orderBy("kind"),
);

/** The history of an e-mail beyond its row. */
export async function findHistory(db: Handle, engine: Engine, id: string): Promise<EmailHistory | undefined> {
  const [row] = await findStanding(db, engine, { id });
  if (row === undefined) return undefined;
  const [reports, hits] = await Promise.all([
    findReports(db, engine, { emailId: row.id }),
    listHits(db, engine, row.id),
  ]);
  return {
    origin: parseOrigin(row.origin),
    apiKeyId: row.api_key_id ?? undefined,
    versionNumber: row.number ?? undefined,
    route: row.route,
    settledAt: row.settled_at ?? undefined,
    dueAt: row.due_at ?? undefined,
    inHand:
      row.worker === null || row.claimed_at === null
        ? undefined
        : { worker: row.worker, since: row.claimed_at },
    reports: reports.map((report) => ({
      position: report.position,
      kind: report.kind as EmailHistory["reports"][number]["kind"],
      class: report.bounce_class,
      category: report.category,
      enhancedCode: report.enhanced_code ?? undefined,
      reply: report.reply,
      source: report.source as EmailHistory["reports"][number]["source"],
      at: report.at,
    })),
    hits,
  };
}
