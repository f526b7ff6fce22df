import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Runs what answers a request when its turn has come. */
export type TakeTurn = (request: IncomingMessage, response: ServerResponse, run: () => void) => void;

interface Waiting {
  response: ServerResponse;
  run: () => void;
}

/** More than any client pipelines; each of them costs memory before it is answered. */
const maxWaiting = 32;

/**
 * Makes turns: of a connection's pipelined requests one is worked on at a time, and the next when its answer has left the process.
 * Node itself hands over all that a packet holds at once, a thousand and more, and keeps their answers until somebody reads them. A
 * connection with more requests waiting than any client pipelines is cut off.
 */
export function createTurns(): TakeTurn {
  const lines = new WeakMap<Socket, Waiting[]>();

  function begin(socket: Socket, line: Waiting[], { response, run }: Waiting): void {
    response.once("close", () => {
      const next = socket.destroyed ? undefined : line.shift();
      if (next === undefined) lines.delete(socket);
      // Others' turns come in between: a reader as fast as we are would have all of its own without a pause.
      else setImmediate(begin, socket, line, next);
    });
    run();
  }

  return (request, response, run) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      const started: Waiting[] = [];
      lines.set(socket, started);
      begin(socket, started, { response, run });
    } else if (line.length < maxWaiting) {
      line.push({ response, run });
    } else {
      socket.destroy();
    }
  };
}
