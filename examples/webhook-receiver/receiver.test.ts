import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createPosthorn } from "@posthorn/core";
import { createMemoryMailer } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createReceiver, type EmailEvent } from "./receiver.ts";

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

  const events: EmailEvent[] = [];
  const settings = { secret: "", onEvent: (event: EmailEvent) => void events.push(event) };
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
  expect(events).toHaveLength(1);

  await new Promise((resolve) => receiver.close(resolve));
  await posthorn.close();
  await storage.close();
});
