import { changeAndNotify } from "../calls/change-and-notify.ts";
import type { Runtime } from "../service/runtime.ts";
import { eventOf } from "./import-entry.ts";

/** Ms without a piece after which an import is considered dead: its pieces take less than a second. */
const abandonedMs = 3_600_000;
/** Number of imports told of in one transaction. */
const chunk = 100;

/**
 * Adds the audit events of imports whose process died, with what they had stored by then. Returns their number. An
 * import that still goes on has a second event about the rest.
 */
export async function tellAbandonedImports(
  runtime: Runtime,
  stopped: () => boolean = () => false,
): Promise<number> {
  let told = 0;
  for (let count = chunk; count === chunk && !stopped(); told += count) {
    count = await changeAndNotify(runtime, async (storage, { events }) => {
      const before = runtime.queueClock.now() - abandonedMs;
      const imports = await storage.imports.takeBefore(before, chunk);
      events.push(...imports.map(eventOf));
      return imports.length;
    });
  }
  return told;
}
