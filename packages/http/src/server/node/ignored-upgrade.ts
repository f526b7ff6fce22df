import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bytes that had been read of a connection when its last request with an `Upgrade` header had arrived. */
const readBefore = new WeakMap<Socket, number>();

/**
 * Has the response to a request whose `Upgrade` header is ignored close the connection if anything followed the
 * request in its packet: Node drops that. The client sends on another connection what got no answer (RFC 9112 section
 * 9.3.2). Clients that wait for their answers keep the connection.
 */
export function closeIfCutOff(request: IncomingMessage, response: ServerResponse): void {
  const { socket, headers } = request;
  const before = readBefore.get(socket) ?? 0;
  const isMeasurable = headers["transfer-encoding"] === undefined;
  const end = before + headBytes(request) + Number(headers["content-length"] ?? 0);
  const check = (): void => {
    readBefore.set(socket, socket.bytesRead);
    if (!isMeasurable || socket.bytesRead > end) response.shouldKeepAlive = false;
  };
  check();
  request.once("end", check);
}

/** Returns the size of a request's head, as nearly all clients write it: `Name: value`. */
function headBytes({ method = "", url = "", rawHeaders }: IncomingMessage): number {
  const fields = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return method.length + url.length + "  HTTP/1.1\r\n\r\n".length + fields;
}
