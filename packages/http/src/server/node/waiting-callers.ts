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
  /** Its place among all. */
  at: number;
}

const mostLooked = 256;

/** Creates the record of a server's callers. */
export function createWaitingCallers(): WaitingCallers {
  const callers = new Map<Socket, Caller>();
  /** Not an iterator of the Map: one that stays behind keeps each table that the Map outgrows, with all connections in it. */
  const all: Caller[] = [];
  let looked = 0;
  let time = 0;

  function remove(caller: Caller): void {
    callers.delete(caller.socket);
    const last = all.pop();
    if (last === undefined || last === caller) return;
    last.at = caller.at;
    all[caller.at] = last;
  }

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
      const caller: Caller = { socket, underway: 0, request: undefined, since: 0, at: all.length };
      callers.set(socket, caller);
      all.push(caller);
      move(socket, 0);
      socket.on("drain", () => move(socket, 0));
      socket.once("close", () => remove(caller));
    },
    begin: (request) => move(request.socket, 1, request),
    end: (socket) => move(socket, -1),
    findOldest(but) {
      let oldest: Caller | undefined;
      for (let left = Math.min(mostLooked, all.length); left > 0; left -= 1) {
        looked = (looked + 1) % all.length;
        const caller = all[looked];
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
