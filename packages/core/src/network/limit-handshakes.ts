import type { Socket } from "node:net";

/** Servers send two tickets (RFC 8446 section 4.6.1 sets no limit), and a few renegotiate once. */
const atMost = 32;

/**
 * Ends a TLS connection, with an error that `excess` makes, whose server sends session tickets or, before TLS 1.3,
 * renegotiates without end. Nothing of it is data that could be counted, and each ticket costs a callback, each
 * renegotiation a handshake.
 */
export function limitHandshakes(
  socket: Pick<Socket, "destroy"> & { on(event: "session" | "secure", listener: () => void): unknown },
  excess: () => Error,
): void {
  let count = 0;
  const onOne = () => {
    count += 1;
    if (count > atMost) socket.destroy(excess());
  };
  socket.on("session", onOne);
  // Node emits it after each handshake, the first and those of renegotiations.
  socket.on("secure", onOne);
}
