import type { WebhookBacklog } from "../../ports/storage.ts";
import { slowestPace } from "../rules/endpoint-pace.ts";

/** What waits for a webhook, in numbers of deliveries. Times are ms since the epoch. */
export interface WebhookBacklogView
  extends Pick<WebhookBacklog, "webhookId" | "workspaceId" | "due" | "waiting" | "oldestDueAt"> {
  /** Host of its URL. The rest may hold a secret of its receiver. */
  host: string;
  /**
   * How its endpoint does: `off`, switched off; `paused`, it asked for a pause; `failing`, its last attempt failed; `slow`,
   * it took longer than 2.5 s; otherwise `working`.
   */
  state: "working" | "slow" | "failing" | "paused" | "off";
  /** End of the pause, if it asked for one. */
  pausedUntil: number | undefined;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** Fault of the last attempt, if it failed. */
  error: string | undefined;
}

/** Returns what an operator is told of a webhook's backlog. */
export function viewBacklog(
  {
    url,
    isActive,
    failuresInARow: failures,
    pace,
    pausedUntil: until = 0,
    lastError,
    ...counts
  }: WebhookBacklog,
  now: number,
): WebhookBacklogView {
  const [isPaused, isFailing] = [until > now, failures > 0];
  const active = isPaused ? "paused" : isFailing ? "failing" : pace === slowestPace ? "slow" : "working";
  return {
    ...counts,
    host: new URL(url).host,
    state: isActive ? active : "off",
    pausedUntil: isPaused ? until : undefined,
    failures,
    error: isFailing && lastError !== "" ? lastError : undefined,
  };
}
