import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createClient } from "@posthorn/client";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createApp } from "./app.ts";

test("the application's route and the mounted API send", async () => {
  const { posthorn, mailer, close } = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  const { workspaceId, apiKey } = await prepareWorkspace(posthorn);
  const server = createAdaptorServer({ fetch: createApp(posthorn, workspaceId).fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const signUp = async (address: string) => {
    const { status } = await fetch(`${url}/signups`, {
      method: "POST",
      body: JSON.stringify({ name: "Ada", address }),
    });
    return status;
  };
  expect(await signUp("ada@example.com")).toBe(202);
  expect(await signUp("Ada@example.com")).toBe(202);
  expect(await signUp("ada")).toBe(400);
  await createClient(`${url}/mail`, { apiKey }).request("POST /emails/send-template", {
    template: "welcome",
    to: ["grace@example.com"],
    template_data: { name: "Grace" },
  });
  expect(await posthorn.drain()).toBe(2);
  expect(mailer.inbox.find({ to: "ada@example.com" })?.subject).toBe("Welcome, Ada!");
  expect(mailer.inbox.find({ to: "grace@example.com" })?.subject).toBe("Welcome, Grace!");

  for (const body of ['{"name"', "null"])
    expect((await fetch(`${url}/signups`, { method: "POST", body })).status).toBe(400);

  await new Promise((resolve) => server.close(resolve));
  await close();
});
