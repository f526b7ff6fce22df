import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

/** Runs a request's handler when its turn comes. */
export type TakeTurn = (request: IncomingMessage, response: ServerResponse, run: () => void) => void;

interface Waiting {
  response: ServerResponse;
  run: () => void;
}

/** Each of them costs memory before it is answered. */
const maxWaiting = 32;
/** Those that came behind them, which nobody answers. */
const maxUnanswered = 96;

interface Line {
  isBusy: boolean;
  /** Whether an answer has said that the connection closes. */
  isEnded: boolean;
  waiting: Waiting[];
  unanswered: number;
}

/**
 * Makes turns: of a connection's pipelined requests one is worked on at a time, and the next when its answer has left the process.
 * Node itself hands over all that a packet holds at once, a thousand and more, and keeps their answers until somebody reads them. Past
 * 32 requests that wait, a connection's last answer says that it closes: the client sends the rest again on another (RFC 9112
 * section 9.3.2). One with another hundred behind those is cut off. Nothing is worked on behind an answer that closes the
 * connection, whatever closes it (section 9.6): the client would not learn of it, and do it again elsewhere.
 */
export function createConnectionTurns(): TakeTurn {
  const lines = new WeakMap<Socket, Line>();

  function begin(socket: Socket, line: Line, { response, run }: Waiting): void {
    line.isBusy = true;
    response.on("close", () => {
      line.isEnded = socket.destroyed || closesConnection(response);
      const next = line.isEnded ? undefined : line.waiting.shift();
      if (next === undefined) rest(line);
      // Yields to other connections: one whose client reads as fast as we write would otherwise have all its requests
      // handled without a pause.
      else setImmediate(begin, socket, line, next);
    });
    run();
  }

  function rest(line: Line): void {
    line.isBusy = false;
    line.waiting = [];
    line.unanswered = 0;
  }

  return (request, response, run) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { isBusy: false, isEnded: false, waiting: [], unanswered: 0 };
    if (line.isEnded) return;
    if (!line.isBusy) {
      // Kept as long as the socket: a table that changes with every request would be copied again and again.
      if (!lines.has(socket)) lines.set(socket, line);
      begin(socket, line, { response, run });
    } else if (line.waiting.length < maxWaiting && line.unanswered === 0) {
      line.waiting.push({ response, run });
    } else if (line.unanswered < maxUnanswered) {
      line.unanswered += 1;
      // Node ends the connection after that answer.
      line.waiting.at(-1)?.response.setHeader("connection", "close");
      socket.pause();
    } else {
      socket.destroy();
    }
  };
}

/** Of HTTP/2, a response closes no connection. */
const closesConnection = ({ req, shouldKeepAlive }: ServerResponse): boolean =>
  req.httpVersionMajor < 2 && !shouldKeepAlive;
