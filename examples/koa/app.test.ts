import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createClient } from "@posthorn/client";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createApp } from "./app.ts";

test("the mounted API sends, and other paths stay the application's", async () => {
  const { posthorn, mailer, close } = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  const { apiKey } = await prepareWorkspace(posthorn);
  const server = createApp(posthorn).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { id } = await createClient(`${url}/mail`, { apiKey }).request("POST /emails/send-template", {
    template: "welcome",
    to: ["ada@example.com"],
    template_data: { name: "Ada" },
  });
  expect(await posthorn.drain()).toBe(1);
  expect(mailer.inbox.find({ to: "ada@example.com" })).toMatchObject({
    emailId: id,
    subject: "Welcome, Ada!",
  });
  expect(await (await fetch(`${url}/`)).text()).toBe("The shop's own page");

  await new Promise((resolve) => server.close(resolve));
  await close();
});
