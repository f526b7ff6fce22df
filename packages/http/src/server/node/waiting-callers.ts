import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The callers of a server's connections, and which of them keep it waiting. */
export interface WaitingCallers {
  /** Adds a connection that was just opened. */
  add(socket: Socket): void;
  /** Notes that the head of a request has arrived. */
  begin(request: IncomingMessage): void;
  /** Notes that a response has ended. */
  end(socket: Socket): void;
  /**
   * Returns the connection, other than the given one, whose caller has kept the server waiting for longest: for a
   * request, for the rest of a body, or to read. Of more than 256, it looks at as many each time.
   */
  findOldest(but: Socket): Socket | undefined;
}

interface Caller {
  socket: Socket;
  /** Requests without an ended response. */
  underway: number;
  /** The last of them. */
  request: IncomingMessage | undefined;
  /** When the caller last did something: a number that grows with everything that any caller does. */
  since: number;
}

const mostLooked = 256;

/** Creates the record of a server's callers. */
export function createWaitingCallers(): WaitingCallers {
  const callers = new Map<Socket, Caller>();
  let rest = callers.values();
  let time = 0;

  function move(socket: Socket, by: number, request?: IncomingMessage): void {
    const caller = callers.get(socket);
    if (caller === undefined) return;
    time += 1;
    caller.since = time;
    caller.underway += by;
    if (request !== undefined) caller.request = request;
    else if (caller.underway === 0) caller.request = undefined;
  }

  return {
    add(socket) {
      callers.set(socket, { socket, underway: 0, request: undefined, since: 0 });
      move(socket, 0);
      socket.on("drain", () => move(socket, 0));
      socket.once("close", () => callers.delete(socket));
    },
    begin: (request) => move(request.socket, 1, request),
    end: (socket) => move(socket, -1),
    findOldest(but) {
      let oldest: Caller | undefined;
      for (let left = Math.min(mostLooked, callers.size); left > 0; left -= 1) {
        let next = rest.next();
        if (next.done === true) {
          rest = callers.values();
          next = rest.next();
        }
        const caller = next.value;
        if (caller === undefined || caller.socket === but || !keepsWaiting(caller)) continue;
        if (oldest === undefined || caller.since < oldest.since) oldest = caller;
      }
      return oldest?.socket;
    },
  };
}

function keepsWaiting({ socket, underway, request }: Caller): boolean {
  if (socket.destroyed) return false;
  return underway === 0 || socket.writableLength > 0 || (underway === 1 && request?.complete === false);
}
