import { afterAll, beforeAll } from "vitest";
import { type Login, startServer, type TestServer } from "./start-server.ts";

export let server: TestServer;
export let owner: Login;
export let workspace: number;

export const current = (signature: string, more: object = {}) =>
  server.ask(signature, { token: owner.token, workspace, ...more });

/** Starts a server for the tests of a file, with an owner and their workspace. */
export function serveOwner(): void {
  beforeAll(async () => {
    server = await startServer();
    owner = await server.logIn();
    const made = await server.ask("POST /workspaces", { token: owner.token, body: { name: "Acme" } });
    workspace = Number(made.body.data?.id);
  });
  afterAll(() => server.close());
}
