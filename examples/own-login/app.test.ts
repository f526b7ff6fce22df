import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { type Account, createApp } from "./app.ts";

const acme = { id: "acme", name: "Acme" };
const accounts: Account[] = [
  { id: "ada", name: "Ada", email: "ada@acme.example", company: acme, role: "editor" },
  {
    id: "bob",
    name: "Bob",
    email: "bob@other.example",
    company: { id: "other", name: "Other" },
    role: "viewer",
  },
];

async function startApp() {
  const { posthorn, storage, close } = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  const app = createApp(posthorn, new Map(accounts.map((account) => [account.id, account])));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    await close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const logIn = async (id: string): Promise<Record<string, string>> => {
    const { headers } = await fetch(`${url}/login/${id}`, { method: "POST" });
    return { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  const ask = (path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}/mail/api/v1${path}`, {
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  return { posthorn, storage, logIn, ask };
}

const template = { name: "welcome", subject: "Welcome!", text: "Hello." };

test("a user of the application works in their company's workspace, under their own name", async () => {
  const { storage, logIn, ask } = await startApp();
  const ada = await logIn("ada");
  expect((await ask("/workspaces/current/templates", ada, template)).status).toBe(201);
  const workspace = await storage.workspaces.findByExternalId("acme");
  const { items } = await storage.events.list({ workspaceId: workspace?.id ?? 0 }, { offset: 0, limit: 1 });
  expect(items).toMatchObject([{ type: "template.created", actorName: "Ada" }]);
});

test("the application assigns the role, and users can't see another company", async () => {
  const { logIn, ask } = await startApp();
  await ask("/workspaces/current/templates", await logIn("ada"), template);
  const bob = await logIn("bob");
  expect((await ask("/workspaces/current/templates", bob, template)).status).toBe(403);
  const list = await ask("/workspaces/current/templates", bob);
  expect(await list.json()).toMatchObject({ data: [], pagination: { total: 0 } });
});

test("refuses requests without a login, and those from another site's page", async () => {
  const { logIn, ask } = await startApp();
  expect((await ask("/workspaces/current/templates", {})).status).toBe(401);
  const foreign = { ...(await logIn("ada")), origin: "https://evil.example" };
  expect((await ask("/workspaces/current/templates", foreign, template)).status).toBe(403);
});
