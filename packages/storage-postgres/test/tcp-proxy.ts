import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy on the loopback that can misbehave. */
export interface TcpProxy {
  /** The URL that leads through the proxy. */
  urlFor(connectionString: string): string;
  /** From now on nothing passes in either direction, and no connection is closed: as when a cable is pulled. */
  blackhole(): void;
  /** Cuts all connections, and passes new ones on to the server of another URL. */
  leadTo(connectionString: string): void;
  /** From now on each direction takes so many ms, as over a long way. */
  delay(ms: number): void;
  /** Passes again what comes over new connections. */
  heal(): void;
  /** The connection over which a client next sends a text that matches: it gets there, and then the client's end is cut. */
  cutAfter(pattern: RegExp): void;
  close(): void;
}

/** Passes connections on to the server of a URL. */
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
      // Timers of one length fire in the order in which they were set.
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
      // The server's answer is awaited, so that its commit has happened, and thrown away.
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
