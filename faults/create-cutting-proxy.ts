import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A TCP proxy on loopback that cuts its first connection after a number of bytes in one direction, and passes all
 * others.
 */
export interface CuttingProxy {
  /** URL of the proxy, `smtp://127.0.0.1:…`, with one connection. */
  url: string;
  /** Bytes that the first connection passed on, to the server and back. */
  passed(): { there: number; back: number };
  close(): Promise<void>;
}

/** Opens a proxy in front of the server at a port; without a cut it passes everything. */
export async function createCuttingProxy(
  port: number,
  cut?: { way: "there" | "back"; at: number },
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const passed = { there: 0, back: 0 };
  let isFirst = true;
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect({ port, host: "127.0.0.1", noDelay: true });
    const counts = isFirst;
    isFirst = false;
    const end = () => {
      client.destroy();
      // Data that has arrived is read: a mail server that has it keeps it.
      server.end();
    };
    const pass = (from: Socket, to: Socket, way: "there" | "back") => {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.end();
      });
      from.on("data", (data) => {
        const room = counts && cut?.way === way ? Math.max(0, cut.at - passed[way]) : data.length;
        const part = data.subarray(0, room);
        if (counts) passed[way] += part.length;
        if (part.length > 0 && !to.destroyed) to.write(part);
        if (part.length < data.length) end();
      });
    };
    pass(client, server, "there");
    pass(server, client, "back");
    if (counts && cut?.at === 0 && cut.way === "there") end();
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `smtp://127.0.0.1:${(proxy.address() as AddressInfo).port}?connections=1`,
    passed: () => passed,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
