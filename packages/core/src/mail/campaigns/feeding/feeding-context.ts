import { serviceCaller } from "../../../calls/caller.ts";
import { changeAndNotify } from "../../../calls/change-and-notify.ts";
import type { ReadContext } from "../../../calls/use-case.ts";
import type { Storage } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";

/**
 * Context in which the service acts on a campaign's workspace outside of any call; each piece of work has its own
 * transaction.
 */
export interface FeedingContext extends ReadContext<"campaigns:write"> {
  outside: Storage<unknown>;
}

/** Creates the context for one look at a campaign of the workspace. */
export const createFeedingContext = (runtime: Runtime, workspaceId: number): FeedingContext => ({
  storage: runtime.storage,
  caller: serviceCaller,
  workspace: { id: workspaceId, role: undefined },
  client: { ip: "", userAgent: "" },
  now: runtime.now(),
  config: runtime.config,
  runtime,
  acceptance: runtime.acceptance,
  changePiece: (work) => changeAndNotify(runtime, work),
  piece: (work) => work(),
  pause: () => undefined,
  yieldThread: () => undefined,
  reclaim: runtime.storage.reclaim,
  outside: runtime.storage,
});
