import type { Socket } from "node:net";

/** Servers send two of them; RFC 8446 section 4.6.1 sets no limit. */
const maxTickets = 32;

/**
 * Ends a TLS connection, with an error that `excess` makes, whose server sends session tickets without end. None of
 * them is data that could be counted, and each costs a callback.
 */
export function limitTickets(
  socket: Pick<Socket, "destroy"> & { on(event: "session", listener: () => void): unknown },
  excess: () => Error,
): void {
  let count = 0;
  socket.on("session", () => {
    count += 1;
    if (count > maxTickets) socket.destroy(excess());
  });
}
