import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createClient } from "@posthorn/client";
import { createMemoryMailer } from "@posthorn/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  newSchema,
  runOnce,
  testPostgresUrl,
} from "../../packages/storage-postgres/test/open-test-storage.ts";
import { type PreparedWorkspace, prepareWorkspace } from "../prepare-workspace.ts";
import { createApp, openPosthorn } from "./app.ts";

const mailer = createMemoryMailer();
const schema = newSchema();
let url: string;
let workspace: PreparedWorkspace;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const connectionString = await testPostgresUrl();
  const { posthorn, close } = await openPosthorn({
    connectionString,
    mailer,
    secretKey: "a secret key that only this test ever uses",
    schema,
  });
  undo.push(async () => {
    await close();
    await runOnce(connectionString, `drop schema "${schema}" cascade`);
  });
  workspace = await prepareWorkspace(posthorn);
  posthorn.start();
  const server = createApp(posthorn, workspace.workspaceId).listen(0, "127.0.0.1");
  await once(server, "listening");
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test("a user who signs up gets a welcome e-mail", async () => {
  const signUp = async (address = "ada@example.com") => {
    const { status } = await fetch(`${url}/signups`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada", address }),
    });
    return status;
  };
  // A database that is busy for seconds counts as unavailable: the person who signs up tries again.
  await expect.poll(() => signUp()).toBe(202);
  await expect.poll(() => signUp("ada")).toBe(400);
  expect((await fetch(`${url}/signups`, { method: "POST" })).status).toBe(400);
  const mail = await mailer.inbox.waitFor({ to: "ada@example.com" });
  expect(mail.subject).toBe("Welcome, Ada!");
});

test("the whole API works under the prefix, behind the body parser", async () => {
  const { apiKey } = workspace;
  const email = await createClient(`${url}/mail`, { apiKey }).request("POST /emails/send-template", {
    template: "welcome",
    to: ["grace@example.com"],
    template_data: { name: "Grace" },
  });
  expect(email.status).toBe("queued");
  expect((await mailer.inbox.waitFor({ to: "grace@example.com" })).html).toContain("Welcome, Grace!");
  expect((await fetch(`${url}/mail/readyz`)).status).toBe(200);
  // An unknown path is passed on to the application.
  expect((await fetch(`${url}/mail/else`)).headers.get("x-powered-by")).toBe("Express");
});
