import { createClient } from "@posthorn/client";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createApp } from "./app.ts";

test("the application's route and the mounted API send", async () => {
  const { posthorn, mailer, close } = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  const { workspaceId, apiKey } = await prepareWorkspace(posthorn);
  const app = await createApp(posthorn, workspaceId);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });

  const signUp = async (address: string) => {
    const { status } = await fetch(`${url}/signups`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada", address }),
    });
    return status;
  };
  expect(await signUp("ada@example.com")).toBe(202);
  expect(await signUp("ada")).toBe(400);
  expect((await fetch(`${url}/signups`, { method: "POST" })).status).toBe(400);
  expect((await mailer.inbox.waitFor({ to: "ada@example.com" })).subject).toBe("Welcome, Ada!");

  await createClient(`${url}/mail`, { apiKey }).request("POST /emails/send-template", {
    template: "welcome",
    to: ["grace@example.com"],
    template_data: { name: "Grace" },
  });
  await mailer.inbox.waitFor({ to: "grace@example.com", subject: "Welcome, Grace!" });

  await app.close();
  await close();
});
