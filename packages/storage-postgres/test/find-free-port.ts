import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Finds a free port on loopback, below the range from which systems assign ports: no other program gets it by chance
 * before it is used, nor while its server restarts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    server.listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
