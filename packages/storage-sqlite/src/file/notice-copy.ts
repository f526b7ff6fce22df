import { chmodSync, statSync } from "node:fs";
import { everyRoute, restoredCopyFact, restoredReason, type Storage } from "@posthorn/core/storage";

/**
 * Notices that the file was copied while a service delivered from it (`cp`, `sqlite3 .backup`): that service may have sent
 * since what waits in the copy. It then is what `posthorn backup` makes of a copy: it delivers nothing before
 * `queue.resume`, and assigns none of the ids that the original may have assigned. A file that was copied or moved after
 * all its services had stopped goes on as before, and so does one whose service was killed.
 */
export async function noticeCopy(storage: Storage, file: string): Promise<void> {
  const identity = identityOf(file);
  if (identity === undefined || (await storage.operations.findFact("file")) === identity) return;
  const now = await storage.now();
  await storage.transaction(async ({ operations, emailQueue, campaigns }) => {
    const known = await operations.findFact("file");
    if (known === identity) return;
    await operations.replaceFact("file", identity);
    if (known === undefined || (await operations.findFact(restoredCopyFact)) !== undefined) return;
    // A worker that ends takes its heartbeat away.
    const [newest] = await operations.listWorkers(0);
    if (newest === undefined) return;
    await operations.deleteWorkers(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    await operations.skipIds();
    const { due, waiting, leased } = await emailQueue.status(now);
    if (due + waiting + leased === 0 && (await campaigns.listGoing(now)).length === 0) return;
    const at = new Date(newest.seenAt).toISOString();
    await emailQueue.park(
      { route: everyRoute, owner: "operator", until: undefined, reason: restoredReason(at) },
      now,
    );
    await operations.replaceFact(restoredCopyFact, at);
  });
}

/**
 * When the file was created, ns since the epoch: of a copy it is another time, whereas files' numbers are used again.
 * `undefined` if the file system doesn't tell.
 */
function identityOf(file: string): string | undefined {
  const look = () => statSync(file, { bigint: true });
  try {
    const { birthtimeNs, ctimeNs, mode } = look();
    // Where Node can't find it out, it tells the time of the last change instead, which this moves.
    if (birthtimeNs === ctimeNs) chmodSync(file, Number(mode & 0o7777n));
    return birthtimeNs === 0n || birthtimeNs === look().ctimeNs ? undefined : String(birthtimeNs);
  } catch {
    return undefined;
  }
}
