import { setTimeout as sleep } from "node:timers/promises";
import type { SmtpServer } from "../../../ports/storage.ts";
import type { Tenure } from "../../../queue/loop/work.ts";
import type { RouteHold } from "./route-hold.ts";
import type { ServerHealthWatch } from "./server-health.ts";
import { createServerPace, intervalOf, type PaceMeans } from "./server-pace.ts";
import { createServerRoom } from "./server-room.ts";

/** A message's turn at a server, which ends once the mailer is done with the message. */
export interface ServerTurn {
  end(): void;
}

/**
 * µs within which a server's pace lets those messages begin that may wait for its connections. They go out together once it
 * answers again, so they are few; but enough that a connection need not wait for the next.
 */
const lateness = 100_000;

const unlimited: ServerTurn = { end() {} };

/**
 * Creates the function that waits for a message's turn at a server, or returns why it gets none. While a paced server has its
 * connections busy, as one that stalls, no slots of its pace are taken: they would pass, and all their messages go out at
 * once when it answers again.
 */
export function createServerTurns(
  means: PaceMeans,
  { health, share }: { health: Pick<ServerHealthWatch, "hold">; share: (most: number) => Promise<number> },
): (server: SmtpServer, tenure: Pick<Tenure, "signal">) => Promise<ServerTurn | RouteHold> {
  const pace = createServerPace(means);
  const room = createServerRoom();

  return async (server, { signal }) => {
    const { row, maxConnections } = server;
    const interval = intervalOf(server);
    for (;;) {
      const standing = health.hold(server);
      if (standing !== undefined) return standing;
      if (interval === undefined) return unlimited;
      const most = (await share(maxConnections)) + Math.ceil(lateness / interval);
      await room.wait(row, most, signal);
      if (signal.aborted) return stopped;
      const turn = await pace.take(server);
      if ("retryAfterMs" in turn)
        return { cause: "limited", reason: chosenPace(server), ...turn, isChosen: true };
      if (turn.waitMs >= 1) await sleep(turn.waitMs);
      if (room.enter(row, most)) return { end: () => room.leave(row) };
    }
  };
}

const stopped: RouteHold = {
  cause: "closed",
  reason: "the service stops, or the e-mail missed its deadline",
  retryAfterMs: 1_000,
};

function chosenPace({ maxPerSecond, maxPerHour }: SmtpServer): string {
  const bounds = [
    ...(maxPerSecond === undefined ? [] : [`${maxPerSecond} per second`]),
    ...(maxPerHour === undefined ? [] : [`${maxPerHour} per hour`]),
  ];
  return `the server is limited to ${bounds.join(" and ")}`;
}
