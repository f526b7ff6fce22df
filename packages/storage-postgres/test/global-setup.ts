import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { startTestServer, type TestServer } from "./test-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Makes a function that returns the connection string of a PostgreSQL by name, started at the first request. */
    postgresStarter: string;
  }
}

/**
 * Keeps the PostgreSQL servers of a test run, in the process that outlives all test files. `GET /name` starts the server of that name
 * and answers its connection string; `POST /name` crashes and restarts it. A run without PostgreSQL tests starts none.
 */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const servers = new Map<string, Promise<TestServer>>();
  const serve = async (name: string, restart: boolean): Promise<string> => {
    const starting = servers.get(name) ?? startTestServer();
    servers.set(name, starting);
    const server = await starting;
    if (restart) await server.restart();
    return server.connectionString;
  };
  const starter = createServer((request, response) => {
    serve(request.url ?? "", request.method === "POST").then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(starter, "listening");
  const address = starter.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  project.provide("postgresStarter", `http://127.0.0.1:${address.port}`);
  return async () => {
    starter.closeAllConnections();
    starter.close();
    for (const starting of servers.values()) await (await starting).stop();
  };
};

export { setup };
