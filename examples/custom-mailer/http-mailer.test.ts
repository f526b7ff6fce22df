import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { MailMessage } from "@posthorn/core";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { afterEach, expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { createHttpMailer } from "./http-mailer.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Opens a service on the mailer, and a provider on loopback that gives the responses in order. */
async function openWorld(...answers: number[]) {
  const requests: Record<string, unknown>[] = [];
  const provider = createServer(async (request, response) => {
    requests.push((await json(request)) as Record<string, unknown>);
    response.writeHead(answers.shift() ?? 202).end();
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  undo.push(() => new Promise((resolve) => provider.close(resolve)));
  const { port } = provider.address() as AddressInfo;
  const mailer = createHttpMailer({ url: `http://127.0.0.1:${port}/send`, token: "t" });
  const world = await createWorld(await createSqliteStorage({ filename: ":memory:" }), { mailer });
  undo.push(world.close);
  const { workspaceId } = await prepareWorkspace(world.posthorn);
  const send = () =>
    world.posthorn.emails.sendTemplate(
      { template: "welcome", to: ["ada@example.com"], templateData: { name: "Ada" } },
      { workspaceId },
    );
  const statusOf = async (emailId: string) =>
    (await world.posthorn.emails.get({ emailId }, { workspaceId })).status;
  return { ...world, requests, send, statusOf, mailer };
}

test("posts an e-mail to the provider once", async () => {
  const { posthorn, requests, send, statusOf } = await openWorld(202);
  const { id } = await send();
  await posthorn.drain();
  expect(await statusOf(id)).toBe("sent");
  expect(requests).toMatchObject([
    { subject: "Welcome, Ada!", recipients: ["ada@example.com"], message_id: expect.stringContaining(id) },
  ]);
});

test("retries an overloaded provider, but not a refusal", async () => {
  const { posthorn, clock, send, statusOf, requests } = await openWorld(503, 202, 422);
  const { id } = await send();
  await posthorn.drain();
  expect(await statusOf(id)).toBe("queued");
  clock.advance(2 * 60_000);
  await posthorn.drain();
  expect(await statusOf(id)).toBe("sent");

  const refused = await send();
  await posthorn.drain();
  expect(await statusOf(refused.id)).toBe("failed");
  expect(requests).toHaveLength(3);
});

test("leaves the e-mail queued if the provider is unreachable", async () => {
  const { posthorn, send, statusOf, mailer } = await openWorld();
  for (const step of undo.splice(0, 1)) await step();
  const { id } = await send();
  await posthorn.drain();
  expect(await statusOf(id)).toBe("queued");
  expect(await mailer.verify()).toContain("fetch failed");
});

test("a stop lets a request under way end, and gives back what has not begun", async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let count = 0;
  const provider = createServer(async (_, response) => {
    count += 1;
    arrived.resolve();
    await release.promise;
    response.writeHead(202).end();
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  undo.push(() => new Promise((resolve) => provider.close(resolve)));
  const { port } = provider.address() as AddressInfo;
  const mailer = createHttpMailer({ url: `http://127.0.0.1:${port}/send`, token: "t", concurrency: 1 });
  const world = await createWorld(await createSqliteStorage({ filename: ":memory:" }), {
    mailer,
    workspace: { name: "Shop" },
  });
  undo.push(world.close);
  const mail = { to: ["ada@example.com"], subject: "Hi", text: "x" };
  const { id: emailId } = await world.posthorn.emails.send(mail);
  world.posthorn.start();
  await arrived.promise;
  const stopped = world.posthorn.stop();
  release.resolve();
  await stopped;
  expect(await world.posthorn.emails.get({ emailId })).toMatchObject({ status: "sent" });

  const message = {
    attachments: [],
    envelope: { from: "", to: ["ada@example.com"] },
  } as unknown as MailMessage;
  const isHeld = { inDoubt: false, held: { cause: "closed" } };
  expect(await mailer.send(message, { signal: AbortSignal.abort() })).toMatchObject(isHeld);
  // This process stood still for longer than its lease: another may send the message.
  expect(await mailer.send(message, { isStillOurs: () => false })).toMatchObject(isHeld);
  expect(count).toBe(1);
});
