import { addressKey, type CampaignRecipientFilter, type Campaigns, type Slice } from "@posthorn/core/storage";
import { type SqlBool, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { mayBeLong } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { answerRange, countOf, rangeOf, skipsRows } from "../../../list-range.ts";
import { contains } from "../../../search.ts";
import { columnsOf } from "../../../tables.ts";
import { lastOfNext } from "./last-of-next.ts";
import { removeRecipients } from "./remove-recipients.ts";
import { toCampaignRecipient, toListedRecipient } from "./rows.ts";

const types = columnsOf("campaign_recipients", [
  "campaign_id",
  "position",
  "name",
  "address",
  "address_key",
  "template_data",
  "state",
]);

type Recipients = Pick<
  Campaigns,
  "addRecipients" | "removeRecipients" | "recipients" | "recipientsAfter" | "cancelPending"
>;

/** Recipients added in one statement; a storage that works on this thread lets other work run between two. */
const sliceSize = 250;

/** Creates the part of the campaigns repository for recipients. */
export const createRecipients = (db: Handle, engine: Engine): Recipients => ({
  addRecipients: (id, recipients) =>
    atomically(db, async (tx) => {
      if (recipients.length === 0) return 0;
      const list = await engine
        .forUpdate(tx.selectFrom("campaigns").select("recipients").where("id", "=", id))
        .executeTakeFirst();
      if (list === undefined) return 0;
      const last = await tx
        .selectFrom("campaign_recipients")
        .select("position")
        .where("campaign_id", "=", id)
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirst();
      let added = 0;
      for (let start = 0; start < recipients.length; start += sliceSize) {
        const position = (last?.position ?? 0) + 1 + start;
        added += await addSlice(tx, engine, id, recipients.slice(start, start + sliceSize), position);
        await engine.pause();
      }
      await tx
        .updateTable("campaigns")
        .set({ recipients: list.recipients + added })
        .where("id", "=", id)
        .execute();
      return added;
    }),
  removeRecipients: (id, limit, after) => removeRecipients(db, id, limit, after),
  async recipients({ id, workspaceId: holder }, filter, slice) {
    const of = { id, holder, byOutcome: await isByOutcome(db, { id, holder }, filter) };
    const { rows, found } = await pageOf(db, of, filter, slice);
    return answerRange(slice, rows, {
      found,
      keyOf: ({ position }) => position,
      toItem: toListedRecipient,
      count: () => countOf(listedRecipients(db, of, filter, { idsOnly: true }), { holder }),
    });
  },
  async recipientsAfter(id, position, { limit, maxBytes }) {
    const behind = db
      .selectFrom("campaign_recipients")
      .where("campaign_id", "=", id)
      .where("position", ">", position)
      .orderBy("position");
    // Reads sizes first, so that no more values than requested are read, however large they are.
    const sizes = await behind
      .select(["position", sql<number>`octet_length(template_data)`.as("size")])
      .limit(limit)
      .execute();
    let total = 0;
    const fitting = sizes.filter(({ size }, index) => {
      total += Number(size);
      return index === 0 || total <= maxBytes;
    });
    if (fitting.length === 0) return [];
    const rows = await behind.selectAll().limit(fitting.length).execute();
    return rows.map(toCampaignRecipient);
  },
  async cancelPending(id, limit) {
    const campaign = await db
      .selectFrom("campaigns")
      .select("cursor_position")
      .where("id", "=", id)
      .executeTakeFirst();
    if (campaign === undefined) return 0;
    const after = campaign.cursor_position;
    const rows = await db
      .updateTable("campaign_recipients")
      .set({ state: "cancelled" })
      .where("campaign_id", "=", id)
      .where("position", ">", after)
      .where("position", "<=", lastOfNext(db, id, { after, limit, isPending: true }))
      .where("state", "=", "pending")
      .returning("position")
      .execute();
    const last = Math.max(...rows.map(({ position }) => position));
    if (rows.length > 0)
      await db.updateTable("campaigns").set({ cursor_position: last }).where("id", "=", id).execute();
    return rows.length;
  },
});

/** Recipients (`r`), joined with their e-mail and its outcome: `toListedRecipient` views their rows. */
const withEmails = (db: Handle) =>
  db
    .selectFrom("campaign_recipients as r")
    .leftJoin("emails as e", "e.uuid", "r.email_id")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id");

/** A page of recipients with their e-mails, and one more. */
async function pageOf(db: Handle, campaign: Listed, filter: CampaignRecipientFilter, slice: Slice) {
  const { id, holder } = campaign;
  const order = { column: "position", direction: "asc", holder } as const;
  const viewed = (rows: ReturnType<typeof withEmails>) =>
    rows
      .select(["r.position", "r.name", "r.address", "r.state", "r.reason", "r.email_id"])
      .select(["e.id as email", "o.status as email_status"]);
  if (asksForEmails(campaign, filter) || !skipsRows(slice)) {
    const rows = await rangeOf(viewed(listedRecipients(db, campaign, filter)), slice, order).execute();
    return { rows, found: rows.length };
  }
  // Their e-mails are joined to the page's alone: those that are skipped may be a hundred thousand.
  const found = listedRecipients(db, campaign, filter, { idsOnly: true }).select("r.position");
  const positions = (await rangeOf(found, slice, order).execute()).map(({ position }) => position);
  if (positions.length === 0) return { rows: [], found: 0 };
  const rows = await viewed(withEmails(db))
    .where("r.campaign_id", "=", id)
    .where("r.position", "in", positions)
    .orderBy("r.position")
    .execute();
  return { rows, found: positions.length };
}

/** Whether the filter is asked of each recipient's e-mail. */
const asksForEmails = ({ byOutcome }: Listed, { emailStatus }: CampaignRecipientFilter): boolean =>
  emailStatus !== undefined && !byOutcome;

/**
 * Whether an outcome is looked for among all of the workspace that have it: an index has them, but for those sent. Of more
 * than the campaign has recipients, the e-mail of each recipient is looked at instead.
 */
async function isByOutcome(
  db: Handle,
  { id, holder }: CampaignOf,
  { emailStatus }: CampaignRecipientFilter,
): Promise<boolean> {
  if (emailStatus === undefined || emailStatus === "sent") return false;
  const campaign = await db
    .selectFrom("campaigns")
    .select("recipients")
    .where("id", "=", id)
    .executeTakeFirst();
  const most = campaign?.recipients ?? 0;
  const some = withOutcome(db, holder, emailStatus).select("found.email_id").limit(most);
  const { count } = await db
    .selectFrom(some.as("some"))
    .select((is) => is.fn.countAll().as("count"))
    .withPlugin(mayBeLong({ holder }))
    .executeTakeFirstOrThrow();
  return Number(count) < most;
}

/** A workspace's e-mails with an outcome other than `sent`. */
const withOutcome = (db: Handle, workspaceId: number, status: string) =>
  db
    .selectFrom("email_outcomes as found")
    // A literal, so that the planner sees that the index of all but sent e-mails applies.
    .where("found.status", "<>", sql.lit("sent"))
    .where("found.status", "=", status)
    .where("found.workspace_id", "=", workspaceId);

/**
 * Whether a recipient's e-mail waits or is in hand, by the campaign's route: no e-mail is looked up for each recipient.
 * PostgreSQL keeps their ids in a table of its memory whatever it knows of the queue, whose size changes faster than its
 * statistics: it makes no join of an `in` that is compared with true, and takes an unknown limit for a small one.
 */
const isWaiting = (db: Handle, { id, holder }: CampaignOf) => {
  const route = `c:${holder}:${id}`;
  const waiting = db
    .selectFrom("email_queue")
    .select("email_id")
    .where("route", "=", route)
    .unionAll(db.selectFrom("claim_items").select("email_id").where("route", "=", route));
  const uuids = db
    .selectFrom(waiting.as("waiting"))
    .innerJoin("emails as of", "of.id", "waiting.email_id")
    .select("of.uuid")
    .limit(sql<number>`(select ${sql.lit(2_147_483_647)})`);
  return sql<SqlBool>`(r.email_id in ${uuids}) is true`;
};

/** A campaign, and the workspace that it is of. */
interface CampaignOf {
  id: number;
  holder: number;
}

/** A campaign whose recipients are listed. */
interface Listed extends CampaignOf {
  /** Whether an outcome is looked for among all of the workspace that have it. */
  byOutcome: boolean;
}

/**
 * Recipients that a filter matches. If only columns of `r` are read, their e-mails are joined only where the filter asks
 * for them: in a count, SQLite would look up each, though nothing reads it.
 */
function listedRecipients(
  db: Handle,
  campaign: Listed,
  filter: CampaignRecipientFilter,
  { idsOnly = false }: { idsOnly?: boolean } = {},
) {
  const { id, holder } = campaign;
  const { state, emailStatus, q } = filter;
  const isAsked = asksForEmails(campaign, filter);
  const all =
    idsOnly && !isAsked
      ? (db.selectFrom("campaign_recipients as r") as unknown as ReturnType<typeof withEmails>)
      : withEmails(db);
  let query = all.where("r.campaign_id", "=", id);
  if (state !== undefined) query = query.where("r.state", "=", state === "settled" ? "queued" : state);
  // One whose e-mail has an outcome is settled.
  if (state === "queued")
    query = query.where(emailStatus === undefined ? isWaiting(db, campaign) : sql<SqlBool>`1 = 0`);
  if (state === "settled" && emailStatus === undefined)
    query = query.where(({ not }) => not(isWaiting(db, campaign)));
  if (emailStatus !== undefined)
    query = isAsked
      ? query.where("o.status", "=", emailStatus)
      : query.where("r.email_id", "in", () =>
          withOutcome(db, holder, emailStatus)
            .innerJoin("emails as of", "of.id", "found.email_id")
            .select("of.uuid")
            .where("of.campaign_id", "=", id),
        );
  if (q !== undefined) query = query.where(contains("r.address_key", q));
  return query;
}

/** Adds recipients from a position on; returns the number of those who were not on the list. */
async function addSlice(
  db: Handle,
  engine: Engine,
  id: number,
  recipients: Parameters<Campaigns["addRecipients"]>[1],
  position: number,
): Promise<number> {
  const rows = recipients.map(({ name, address, templateData }, index) => ({
    campaign_id: id,
    position: position + index,
    name,
    address,
    address_key: addressKey(address),
    template_data: JSON.stringify(templateData),
    state: "pending",
  }));
  const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
  const { rows: inserted } = await sql<{ position: number }>`
    insert into ${engine.table("campaign_recipients")} (${columns})
    select ${columns} from ${engine.valuesTable("v", types, rows)} where true order by position
    on conflict (campaign_id, address_key) do nothing
    returning position
  `.execute(db);
  return inserted.length;
}
