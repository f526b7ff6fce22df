import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createClient } from "@posthorn/client";
import { createMemoryMailer } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { createShop, openMail } from "./shop.ts";

test("confirms orders and serves the API without naming a workspace", async () => {
  const mailer = createMemoryMailer();
  const secretKey = "a secret key that only this test ever uses";
  const { mail, close } = await openMail({ filename: ":memory:", mailer, secretKey });
  const server = createShop(mail).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const order = (to: string, method = "POST") => fetch(`${url}/orders?to=${to}`, { method });
  expect((await order("ada@example.com")).status).toBe(202);
  expect((await order("nobody")).status).toBe(400);
  // Whatever only follows a link sends nothing, and a path that is no URL ends no server.
  expect((await order("eve@example.com", "GET")).status).toBe(404);
  expect((await fetch(`${url}//`)).status).toBe(404);
  const { key } = await mail.apiKeys.create({ name: "site" });
  const sent = { subject: "Hello", text: "x", to: ["grace@example.com"] };
  await createClient(`${url}/mail`, { apiKey: key }).request("POST /emails/send", sent);
  expect(await mail.drain()).toBe(2);
  expect(mailer.inbox.find({ to: "ada@example.com" })?.subject).toBe("Your order");
  expect((await mail.emails.list()).total).toBe(2);

  await new Promise((resolve) => server.close(resolve));
  await close();
});
