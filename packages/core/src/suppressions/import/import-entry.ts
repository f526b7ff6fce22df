import { createEvent } from "../../calls/outbox.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import type { NewEvent } from "../../ports/storage/events.ts";
import type { ImportSum, Repositories } from "../../ports/storage.ts";

/** The one audit event of an import, which stores its file in many transactions. */
export interface ImportEntry {
  /** Counts what a piece stored, in its transaction: if the process dies, an hourly job tells of it. */
  add(storage: Repositories, count: number): Promise<void>;
  /** Adds the event about all pieces, `count` of this one included; none if nothing was stored. */
  end(storage: Repositories, events: NewEvent[], count: number): Promise<void>;
}

/** Creates it for an import that begins. */
export function createImportEntry({
  caller,
  workspace,
  client,
  now,
  runtime,
}: ReadContext<"suppressions:write">): ImportEntry {
  const id = runtime.newId();
  const origin = { caller, workspaceId: workspace.id, clientIp: client.ip, now };
  const event = JSON.stringify(createEvent("suppression.imported", {}, origin));
  return {
    async add(storage, count) {
      if (count === 0) return;
      const at = runtime.queueClock.now();
      await storage.suppressions.addToImport({ id, workspaceId: workspace.id, event, count, at });
    },
    async end(storage, events, count) {
      const sum = count + (await storage.suppressions.takeImport(id));
      if (sum > 0) events.push(eventOf({ event, count: sum }));
    },
  };
}

/** Returns the event about an import. */
export const eventOf = ({ event, count }: ImportSum): NewEvent => ({
  ...(JSON.parse(event) as NewEvent),
  metadata: JSON.stringify({ count }),
});
