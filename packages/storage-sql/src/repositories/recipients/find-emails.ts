import { type Person, type Recipients, readStoredObject } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { countOf } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";

const findTo = prepared((db, to: { workspaceId: number; addressKey: string; after: number; limit: number }) =>
  db
    .selectFrom("email_recipients as r")
    .innerJoin("emails as e", "e.id", "r.email_id")
    .select(["r.email_id", "r.position", "e.uuid"])
    .select((eb) =>
      eb
        .selectFrom("email_recipients as other")
        .select("other.position")
        .whereRef("other.email_id", "=", "r.email_id")
        .whereRef("other.position", "<>", "r.position")
        .limit(1)
        .as("other"),
    )
    .where("r.workspace_id", "=", to.workspaceId)
    .where("r.address_key", "=", to.addressKey)
    .where("r.email_id", ">", to.after)
    .orderBy("r.email_id")
    .limit(to.limit),
);

type Finds = Pick<Recipients, "emailsTo" | "countEmails" | "countCampaigns" | "bounceDays" | "listedIn">;

/** Creates lookups of a person's data by address. */
export const createFinds = (db: Handle, engine: Engine): Finds => ({
  async emailsTo({ workspaceId, addressKey }, after, limit) {
    const rows = await findTo(db, engine, { workspaceId, addressKey, after, limit });
    return rows.map((row) => ({
      row: row.email_id,
      id: row.uuid,
      position: row.position,
      isAlone: row.other === null,
    }));
  },
  countEmails({ workspaceId, addressKey }) {
    const named = db
      .selectFrom("email_recipients")
      .where("workspace_id", "=", workspaceId)
      .where("address_key", "=", addressKey);
    return countOf(named, { column: "email_id", holder: workspaceId });
  },
  countCampaigns: (person) => countOf(listed(db, person), { holder: person.workspaceId }),
  bounceDays: ({ workspaceId, addressKey }) =>
    db
      .selectFrom("bounce_days")
      .select(["category", "day"])
      .where("workspace_id", "=", workspaceId)
      .where("address_key", "=", addressKey)
      .orderBy("day")
      .execute(),
  async listedIn(person, after, limit) {
    const rows = await listed(db, person)
      .select(["c.id", "c.name as campaign"])
      .select(["r.name", "r.address", "r.state", "r.reason", "r.email_id", "r.template_data"])
      .where("c.id", ">", after)
      .orderBy("c.id")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      campaignId: row.id,
      campaign: row.campaign,
      name: row.name,
      address: row.address,
      state: row.state,
      reason: row.reason,
      emailId: present(row.email_id),
      templateData: readStoredObject(row.template_data),
    }));
  },
});

/** The person's positions on the lists of the workspace's campaigns, one per campaign. */
export const listed = (db: Handle, { workspaceId, addressKey }: Person) =>
  db
    .selectFrom("campaigns as c")
    .innerJoin("campaign_recipients as r", "r.campaign_id", "c.id")
    .where("c.workspace_id", "=", workspaceId)
    .where("r.address_key", "=", addressKey);
