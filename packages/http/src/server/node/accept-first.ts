import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

/** Runs what a request of that connection causes. */
export type RunAfterAccepting = (socket: Socket, run: () => void) => void;

/** Connections after which requests run, even if further ones arrive. */
const mostAccepted = 256;
/** Ms after which requests run: a turn takes longer than accepting does where an import or a batch works in pieces meanwhile. */
const mostMs = 10;

/**
 * Makes a server's requests wait while it accepts connections. Node accepts one in each turn of its event loop: if the requests of
 * the first were handled meanwhile, each turn would take as long as they do, and the last of many connections opened at once, as of a
 * proxy that keeps none, would wait for all that the others send.
 */
export function acceptFirst(server: Server): RunAfterAccepting {
  let waiting: { socket: Socket; run: () => void }[] = [];
  let accepted = 0;
  let since = 0;
  let isAccepting = false;
  let hasNew = false;

  function look(): void {
    if (hasNew && accepted < mostAccepted && performance.now() - since < mostMs) {
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
    accepted += 1;
    if (isAccepting) return;
    isAccepting = true;
    since = performance.now();
    setImmediate(look);
  });
  return (socket, run) => {
    if (isAccepting) waiting.push({ socket, run });
    else run();
  };
}
