import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of loopback that nobody listens on, below those that systems give out by themselves: nobody else gets it by chance before it is
 * listened on, nor while its server restarts.
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
