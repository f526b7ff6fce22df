import { callerKey } from "../calls/caller-key.ts";
import { createEvent } from "../calls/outbox.ts";
import type { ReadContext } from "../calls/use-case.ts";
import { fieldError } from "../errors.ts";
import type { EventMetadata, EventType } from "../events.ts";
import type { Permission } from "../permissions.ts";
import type { ImportSum, NewEvent, Repositories } from "../ports/storage.ts";

/** The event of an import, and the key of its metadata that has the sum. */
interface Told<T extends EventType> {
  type: T;
  metadata: EventMetadata<T>;
  sum: string & keyof EventMetadata<T>;
  /** Number of what is filled, if a workspace has several. */
  about?: number;
}

/** Stores a piece of a file; returns its result, and how many entries the event is to count. */
type StorePiece<R> = (storage: Repositories) => Promise<{ result: R; count: number }>;

/** The one audit event of an import, which stores its file in many transactions. */
export interface ImportEntry {
  /**
   * Stores a piece in a transaction that also counts it, or nothing if there is no piece left. With the last piece of the
   * import it adds the event about all of them, unless nothing was stored. If the process dies before, an hourly job
   * does. Returns the piece's result. Throws as the piece does.
   */
  store<R>(piece: StorePiece<R> | undefined, isLast: boolean): Promise<R | undefined>;
  /** Adds the event of an import that fails, if it may have stored something. */
  giveUp(): Promise<void>;
}

/** Creates it for a call. Throws `validation_failed` for one that others follow without an id in common. */
export function createImportEntry<T extends EventType>(
  context: Pick<
    ReadContext<Permission>,
    "caller" | "workspace" | "client" | "now" | "runtime" | "changePiece"
  >,
  { importId, more }: { importId?: string | undefined; more: boolean },
  { type, metadata, sum, about = 0 }: Told<T>,
): ImportEntry {
  if (more && importId === undefined) throw fieldError("importId", "is required if more calls follow");
  const { caller, workspace, client, now, runtime, changePiece } = context;
  const name = `${workspace.id} ${callerKey(caller)} ${type} ${about} ${importId ?? runtime.newId()}`;
  const origin = { caller, workspaceId: workspace.id, clientIp: client.ip, now };
  const event = JSON.stringify({ ...createEvent(type, { metadata }, origin), sum });
  async function end(storage: Repositories, events: NewEvent[], count: number): Promise<void> {
    const total = count + (await storage.imports.take(name));
    if (total > 0) events.push(eventOf({ event, count: total }));
  }
  // With an id, an earlier call may have stored something.
  let hasBegun = importId !== undefined;
  async function count(storage: Repositories, events: NewEvent[], added: number, isLast: boolean) {
    if (isLast && !more) return await end(storage, events, added);
    if (added === 0) return;
    const at = runtime.queueClock.now();
    await storage.imports.add({ name, workspaceId: workspace.id, event, count: added, at });
  }
  return {
    async store(piece, isLast) {
      if (piece === undefined && !hasBegun) return undefined;
      hasBegun = true;
      return await changePiece(async (storage, { events }) => {
        const stored = await piece?.(storage);
        await count(storage, events, stored?.count ?? 0, isLast);
        return stored?.result;
      });
    },
    async giveUp() {
      if (!hasBegun) return;
      // If this fails too, such as with the storage, the hourly job adds the event.
      await changePiece((storage, { events }) => end(storage, events, 0)).catch(() => {});
    },
  };
}

/** Returns the event about an import. */
export function eventOf({ event, count }: ImportSum): NewEvent {
  const { sum, ...told } = JSON.parse(event) as NewEvent & { sum: string };
  return { ...told, metadata: JSON.stringify({ ...JSON.parse(told.metadata), [sum]: count }) };
}
