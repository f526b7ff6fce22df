import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy on loopback that can fail. */
export interface TcpProxy {
  /** Returns the URL of a server through the proxy. */
  urlFor(connectionString: string): string;
  /** Stops all data in both directions without closing connections, as when a cable is unplugged. */
  blackhole(): void;
  /** Cuts all connections, and forwards new ones to the server of another URL. */
  leadTo(connectionString: string): void;
  /** Delays each direction by so many ms, as on a long distance. */
  delay(ms: number): void;
  /** Lets data of new connections pass again. */
  heal(): void;
  /**
   * Cuts the client's end of the connection on which a client next sends a matching text, after forwarding that text.
   */
  cutAfter(pattern: RegExp): void;
  close(): void;
}

/** Creates a proxy that forwards connections to the server of a URL. */
export const createTcpProxy = async (connectionString: string): Promise<TcpProxy> => {
  let target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let isBlackhole = false;
  let delayMs = 0;
  let cutPattern: RegExp | undefined;

  const pass = (from: Socket, to: Socket, onData: (data: Buffer) => void) => {
    from.setNoDelay();
    sockets.add(from);
    from.on("data", (data) => {
      if (isBlackhole) dead.add(from).add(to);
      if (dead.has(from)) return;
      onData(data);
      if (delayMs === 0) to.write(data);
      // Timers of the same duration fire in the order in which they were set.
      else setTimeout(() => to.writable && to.write(data), delayMs);
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      if (!dead.has(from)) to.end();
    });
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    if (isBlackhole) dead.add(client).add(upstream);
    pass(client, upstream, (data) => {
      if (!cutPattern?.test(data.toString("latin1"))) return;
      cutPattern = undefined;
      // The server's reply is awaited, so that its commit has happened, and then discarded.
      dead.add(upstream);
      upstream.once("data", () => client.destroy());
    });
    pass(upstream, client, () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");

  return {
    urlFor(url) {
      const proxied = new URL(url);
      proxied.port = String(address.port);
      return proxied.href;
    },
    blackhole() {
      isBlackhole = true;
      for (const socket of sockets) dead.add(socket);
    },
    leadTo(other) {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    delay(ms) {
      delayMs = ms;
    },
    heal() {
      isBlackhole = false;
    },
    cutAfter(pattern) {
      cutPattern = pattern;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
