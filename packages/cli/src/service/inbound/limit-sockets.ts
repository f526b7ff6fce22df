import type { Server } from "node:net";
import { clientNetwork } from "@posthorn/core/internal";

/** Most sockets of one network, and of all. */
export interface SocketLimits {
  ofOne: number;
  ofAll: number;
}

/**
 * Limits a mail server's open sockets, by closing others without a word. Those count whose client was refused and does not
 * hang up: the server waits five seconds for that, so that one client could use up the process's descriptors, without
 * which nothing else in it is served.
 */
export function limitSockets(server: Server, { ofOne, ofAll }: SocketLimits): void {
  const counts = new Map<string, number>();
  server.maxConnections = ofAll;
  server.on("connection", (socket) => {
    const network = clientNetwork(socket.remoteAddress ?? "");
    const count = counts.get(network) ?? 0;
    if (count >= ofOne) return void socket.destroy();
    counts.set(network, count + 1);
    socket.once("close", () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}
