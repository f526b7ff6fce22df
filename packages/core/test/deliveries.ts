import { claimAll } from "../src/testing/contract/claims.ts";
import { world } from "./world-for-each.ts";

/** Returns the types of the e-mail's events after its acceptance, oldest first. */
export async function eventsOf(emailId: string): Promise<string[]> {
  const { events } = await world.storage.events.listAfter(0, { workspaceId: "all", category: "email" }, 500);
  return events
    .filter(({ metadata, type }) => JSON.parse(metadata).email_id === emailId && type !== "email.queued")
    .map(({ type }) => type);
}

/** Returns when the queue next has something due. */
export const nextAt = async () => (await world.storage.emailQueue.look(world.clock.now(), 9)).nextAt;

/** Claims all due e-mails as a worker that then dies, and lets its leases expire. */
export async function die(): Promise<void> {
  await claimAll(world.storage, { now: world.clock.now(), worker: "dead" });
  world.clock.advance(30_000);
}

/** Advances the clock to the next due e-mail and handles it. */
export async function drainNext(): Promise<number> {
  world.clock.set((await nextAt()) ?? world.clock.now());
  return world.posthorn.drain();
}
