import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

/** Runs what a request of that connection causes. */
export type RunAfterAccepting = (socket: Socket, run: () => void) => void;

/** Connections after which requests run, even if further ones arrive. */
const mostAccepted = 256;
/**
 * Ms after which requests run: as long as the server did other things since it last accepted, so that it does neither alone, within
 * these bounds.
 */
const leastMs = 10;
const mostMs = 100;
/**
 * Ms that a turn counts at most. A long one is not accepting's: it ends what was begun, such as a commit, and the turns behind it are
 * short; where an import or a batch works in pieces, all are long.
 */
const longestTurnMs = 5;

/**
 * Makes a server's requests wait while it accepts connections. Node accepts one in each turn of its event loop: if the requests of
 * the first were handled meanwhile, each turn would take as long as they do, and the last of many connections opened at once, as of a
 * proxy that keeps none, would wait for all that the others send.
 */
export function acceptFirst(server: Server): RunAfterAccepting {
  let waiting: { socket: Socket; run: () => void }[] = [];
  let accepted = 0;
  let lookedAt = performance.now();
  let leftMs = 0;
  let isAccepting = false;
  let hasNew = false;

  function look(): void {
    const now = performance.now();
    const passed = now - lookedAt;
    lookedAt = now;
    // The turn in which the first connection came had read all else that waited.
    leftMs =
      accepted === 0 ? Math.min(Math.max(passed, leastMs), mostMs) : leftMs - Math.min(passed, longestTurnMs);
    if (hasNew && accepted < mostAccepted && leftMs > 0) {
      accepted += 1;
      hasNew = false;
      setImmediate(look);
      return;
    }
    isAccepting = false;
    accepted = 0;
    const ready = waiting;
    waiting = [];
    for (const { socket, run } of ready) if (!socket.destroyed) run();
  }

  server.on("connection", () => {
    hasNew = true;
    if (isAccepting) return;
    isAccepting = true;
    setImmediate(look);
  });
  return (socket, run) => {
    if (isAccepting) waiting.push({ socket, run });
    else run();
  };
}
