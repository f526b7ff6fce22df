import type { ErasedPerson, Recipients } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { isStronger, toSuppression } from "../mail/suppressions.ts";
import { eraseEmails } from "./erase-emails.ts";
import { createFinds, listed } from "./find-emails.ts";
import { countEvents, eraseFrom, search } from "./logs.ts";
import { readEmails } from "./read-emails.ts";
import { withdraw } from "./withdraw.ts";

/** Data held about recipients. */
export const createRecipientsRepository = (db: Handle, engine: Engine): Recipients => ({
  ...createFinds(db, engine),
  readEmails: (person, after, now) => readEmails(db, engine, { person, after, now }),
  countEvents: (person, latest) => countEvents(db, engine, person, latest),
  search: (log, person, after) => search(db, engine, log, person, after),
  withdraw: (email, now) => withdraw(db, engine, email, now),
  eraseEmails: (person, emails) => eraseEmails(db, engine, person, emails),
  eraseFromCampaigns: (person) => eraseFromCampaigns(db, engine, person),
  eraseFrom: (log, person, after) => eraseFrom(db, engine, log, person, after),
  hashSuppressions: (person, hashedKey) => hashSuppressions(db, person, hashedKey),
});

/** Number of campaigns that one call locks: their feeders wait for its transaction. */
const campaignsAtOnce = 20;

const eraseFromCampaigns = (db: Handle, engine: Engine, person: ErasedPerson): Promise<number> =>
  atomically(db, async (tx) => {
    const found = await listed(tx, person).select("c.id").orderBy("c.id").limit(campaignsAtOnce).execute();
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    // A feeder changes its campaign before the list: what it has queued is no longer pending then.
    await engine
      .forUpdate(
        tx
          .selectFrom("campaigns")
          .select("id")
          .where((eb) => engine.anyOf(eb.ref("id"), ids))
          .orderBy("id"),
      )
      .execute();
    const places = await listed(tx, person)
      .select(["r.campaign_id", "r.position", "r.state"])
      .where((eb) => engine.anyOf(eb.ref("c.id"), ids))
      .execute();
    for (const { campaign_id, position, state } of places) {
      // A list contains an address once, so two erased recipients differ by their positions.
      const address_key = `${person.erasedAs}#${position}`;
      if (state === "pending") {
        await tx
          .deleteFrom("campaign_recipients")
          .where("campaign_id", "=", campaign_id)
          .where("position", "=", position)
          .execute();
        await tx
          .updateTable("campaigns")
          .set((eb) => ({ recipients: eb("recipients", "-", 1) }))
          .where("id", "=", campaign_id)
          .execute();
        continue;
      }
      await tx
        .updateTable("campaign_recipients")
        .set({ name: "", address: person.erasedAs, address_key, template_data: "{}", reason: "" })
        .where("campaign_id", "=", campaign_id)
        .where("position", "=", position)
        .execute();
    }
    // All of these were deleted meanwhile, which says nothing of the next ones.
    return places.length > 0 ? places.length : eraseFromCampaigns(tx, engine, person);
  });

/** Of two entries for one scope the one that lasts longer is kept, or else that of a complaint. */
const hashSuppressions = (db: Handle, person: ErasedPerson, hashedKey: string): Promise<void> =>
  atomically(db, async (tx) => {
    const { workspaceId, addressKey, erasedAs } = person;
    const under = (key: string) =>
      tx
        .selectFrom("suppressions")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("address_key", "=", key);
    const hashed = await under(hashedKey).execute();
    for (const entry of await under(addressKey).execute()) {
      const same = hashed.find(({ scope }) => scope === entry.scope);
      const stays = same === undefined || isStronger(toSuppression(entry), toSuppression(same));
      const gone = stays ? same?.id : entry.id;
      if (gone !== undefined) await tx.deleteFrom("suppressions").where("id", "=", gone).execute();
      if (!stays) continue;
      await tx
        .updateTable("suppressions")
        .set({
          ...{ address_key: hashedKey, domain_key: "", address: erasedAs, reason: "" },
          former_reason: entry.former_reason === null ? null : "",
        })
        .where("id", "=", entry.id)
        .execute();
    }
    await tx
      .deleteFrom("bounce_days")
      .where("workspace_id", "=", workspaceId)
      .where("address_key", "=", addressKey)
      .execute();
  });
