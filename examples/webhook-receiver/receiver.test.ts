import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { WebhookEvent } from "@posthorn/client";
import { createPosthorn } from "@posthorn/core";
import { createMemoryMailer } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createReceiver } from "./receiver.ts";

test("handles each delivery from Posthorn once, and refuses anything else", async () => {
  const storage = await createSqliteStorage({ filename: ":memory:" });
  const posthorn = createPosthorn({
    storage,
    mailer: createMemoryMailer(),
    secretKey: "a secret key that only this test ever uses",
    defaultSender: "hello@shop.example",
    // The test's receiver is on loopback, which is refused by default.
    webhooks: { allowPrivate: true },
  });
  await posthorn.migrate();
  const { workspaceId } = await prepareWorkspace(posthorn);

  const events: WebhookEvent[] = [];
  const settings = { secret: "", onEvent: (event: WebhookEvent) => void events.push(event) };
  // The secret is known only once the webhook is created, which needs the receiver's address.
  const probe = createReceiver(settings).listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await new Promise((resolve) => probe.close(resolve));
  const { id: webhookId, secret } = await posthorn.webhooks.create(
    { url, events: ["email.sent"] },
    { workspaceId },
  );
  const receiver = createReceiver({ ...settings, secret }).listen(port, "127.0.0.1");
  await once(receiver, "listening");

  const email = await posthorn.emails.sendTemplate(
    { template: "welcome", to: ["ada@example.com"], templateData: { name: "Ada" } },
    { workspaceId },
  );
  await posthorn.drain();
  expect(events).toMatchObject([{ event: "email.sent", email_id: email.id }]);

  // The same delivery again: the response is 2xx, and the event is not handled twice.
  const { items } = await posthorn.webhooks.listDeliveries({ webhookId }, { workspaceId });
  await posthorn.webhooks.redeliver({ webhookId, deliveryId: items[0]?.id ?? "" }, { workspaceId });
  expect(await posthorn.drain()).toBe(1);
  expect(events).toHaveLength(1);

  const body = JSON.stringify({ event: "email.sent", email_id: "forged", timestamp: "" });
  const forged = await fetch(url, {
    method: "POST",
    headers: {
      "x-service-signature": `sha256=${createHmac("sha256", "guess").update(body).digest("hex")}`,
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,Zm9yZ2Vk",
    },
    body,
  });
  expect(forged.status).toBe(401);
  const long = await fetch(url, { method: "POST", body: Buffer.alloc(1024 * 1024 + 1) });
  expect(long.status).toBe(413);
  expect(events).toHaveLength(1);

  await new Promise((resolve) => receiver.close(resolve));
  await posthorn.close();
  await storage.close();
});

test("a sender that hangs up harms nothing, and an event that fails is handled when it comes again", async () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const events: WebhookEvent[] = [];
  let isBroken = true;
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  const onEvent = (event: WebhookEvent): void => {
    if (isBroken) throw new Error("the shop's database is away");
    events.push(event);
  };
  const receiver = createReceiver({ secret, onEvent }).listen(0, "127.0.0.1");
  onTestFinished(() => new Promise((resolve) => receiver.close(() => resolve())));
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;

  const hasty = connect(port, "127.0.0.1");
  const begun = once(receiver, "request");
  hasty.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
  const [request] = (await begun) as [IncomingMessage];
  const gone = new Promise((resolve) => request.once("close", resolve));
  hasty.destroy();
  await gone;

  const body = JSON.stringify({ event: "email.sent", email_id: "1", timestamp: "" });
  const deliver = async () => {
    const time = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const digest = createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64");
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,${digest}` };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
  };
  expect(await deliver()).toBe(500);
  expect(String(told.mock.lastCall?.[0])).toContain("database is away");
  isBroken = false;
  expect([await deliver(), await deliver()]).toEqual([204, 204]);
  expect(events).toMatchObject([{ email_id: "1" }]);
});
