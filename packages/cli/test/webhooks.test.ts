import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createWebhookSecret, signatureHeaders, verifyWebhook } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";
import { makeFolder, runCommand } from "./run-command.ts";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine; `next` waits for the next delivery. */
async function openReceiver(status = 200) {
  const received: Received[] = [];
  let waiting: (() => void) | undefined;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    response.writeHead(status).end();
    waiting?.();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async next(): Promise<Received> {
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      return received.shift() as Received;
    },
  };
}

test("listen forwards the workspace's e-mail events, signed, until Ctrl-C", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  await world.posthorn.templates.create({ name: "hi", text: "Hi", subject: "Hi" }, call);
  const receiver = await openReceiver();
  const listening = world.start("webhooks", "listen", "--workspace", "Shop", "--forward-to", receiver.url);
  const [, secret = ""] = await listening.waitForStderr(/run: (whsec_\S+)/);
  await listening.waitForStderr(/Ctrl-C/);

  await world.posthorn.suppressions.create({ email: "eve@example.com" }, call);
  const to = ["bob@example.com", "eve@example.com"];
  const { id } = await world.posthorn.emails.sendTemplate({ template: "hi", to }, call);
  const { headers, body } = await receiver.next();
  expect(headers["x-service-event"]).toBe("email.queued");
  expect(JSON.parse(body)).toMatchObject({ event: "email.queued", email_id: id });
  expect(verifyWebhook({ secret, headers, body, now: Date.now() })).toBe(true);
  await world.posthorn.drain();
  const bodies = [await receiver.next(), await receiver.next()].map((one) => JSON.parse(one.body));
  const data = expect.objectContaining({ subject: "Hi", recipient: "eve@example.com", origin: "manual" });
  expect(bodies).toEqual(
    expect.arrayContaining([
      { event: "email.sent", email_id: id, timestamp: expect.any(String) },
      { event: "email.suppressed", email_id: id, timestamp: expect.any(String), data },
    ]),
  );

  listening.child.kill("SIGINT");
  const { code, stdout } = await listening.ended;
  expect(code).toBe(130);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ event: "email.queued", email_id: id, status: 200, error: "" });
});

test("trigger posts one signed sample to a receiver, without a database, and reports its answer", async () => {
  const cwd = makeFolder();
  const [good, bad] = [await openReceiver(), await openReceiver(500)];
  const secret = createWebhookSecret();
  writeFileSync(join(cwd, "secret"), `${secret}\n`);
  const trigger = (event: string, url: string) =>
    runCommand(["webhooks", "trigger", event, "--url", url, "--secret-file", "secret"], { cwd });
  const [done, refused, unknown, elsewhere] = await Promise.all([
    trigger("email.failed", good.url),
    trigger("campaign.completed", bad.url),
    trigger("email.read", good.url),
    trigger("email.sent", "http://192.0.2.1/hooks"),
  ]);
  const { headers, body } = await good.next();
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ event: "email.failed", status: 200, body });
  expect(verifyWebhook({ secret, headers, body, now: Date.now() })).toBe(true);
  expect(done.stdout + done.stderr).not.toContain(secret);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("answered 500") });
  expect([unknown.code, elsewhere.code]).toEqual([2, 2]);
  const { stderr } = await runCommand(["webhooks", "trigger", "email.sent", "--url", bad.url], { cwd });
  expect(stderr).toMatch(/answered 500\.\n.*--secret-file\.\n$/);
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port: closed } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const absent = await trigger("email.sent", `http://127.0.0.1:${closed}/hooks`);
  expect(absent.stderr).toMatch(/ECONNREFUSED\.\nIs it running/);
  // It would be listened for in vain.
  const vain = ["webhooks", "listen", "--event", "campaign.completed", "--forward-to", good.url];
  expect(await runCommand(vain, { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"campaign.completed" is not an e-mail\'s event type.'),
  });
});

test("trigger posts to ports that fetch refuses, waits for no endless answer, and for a silent one no longer than told", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/silent") return;
    response.write("no end");
  });
  // One of them is free: https://fetch.spec.whatwg.org/#port-blocking
  for (const port of [6697, 6000, 6665, 6666, 6667, 6668, 6669, 5060, 5061, 4045, 2049]) {
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (free) break;
  }
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const trigger = async (path: string) => {
    const url = `http://127.0.0.1:${port}${path}`;
    const { stdout } = await runCommand(["webhooks", "trigger", "email.sent", "--url", url], {
      cwd: makeFolder(),
      env: { SERVICE_WEBHOOK_TIMEOUT_SECS: path === "/silent" ? "1" : "60" },
    });
    return JSON.parse(stdout);
  };
  expect(await trigger("/endless")).toMatchObject({ status: 200, error: "" });
  expect(await trigger("/silent")).toMatchObject({ status: null, error: "timeout" });
});

test("trigger posts what a real delivery of each type says", async () => {
  const cwd = makeFolder();
  const receiver = await openReceiver();
  const fields: Record<string, string[]> = {
    "smtp_server.down": ["event", "smtp_server_id", "name", "reason", "timestamp"],
    "suppression.created": ["event", "data", "timestamp"],
    "email.unsubscribed": ["event", "email_id", "data", "timestamp"],
    "webhook.test": ["event", "webhook_id", "timestamp"],
  };
  for (const [event, keys] of Object.entries(fields)) {
    await runCommand(["webhooks", "trigger", event, "--url", receiver.url], { cwd });
    const body = JSON.parse((await receiver.next()).body);
    expect(Object.keys(body)).toEqual(keys);
    if (event.startsWith("email."))
      expect(body.data).toMatchObject({ recipient: expect.any(String), list: "news" });
    expect(Math.abs(Date.parse(body.timestamp) - Date.now())).toBeLessThan(60_000);
  }
});

test("verify accepts a genuine delivery, and refuses a changed one and a replay", async () => {
  const cwd = makeFolder();
  const secret = createWebhookSecret();
  const body = '{"event":"email.sent"}';
  writeFileSync(join(cwd, "secret"), secret);
  writeFileSync(join(cwd, "body"), body);
  writeFileSync(join(cwd, "other"), "whsec_");
  const verify = (timestamp: number, input = body, file = "secret") => {
    const signed = signatureHeaders({ secrets: [secret], id: "1", timestamp, body });
    const headers = Object.entries(signed).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
    const args = ["webhooks", "verify", "--secret-file", file, "--body-file", "-", ...headers];
    return runCommand(args, { cwd, input });
  };
  const [genuine, changed, replayed, unsigned] = await Promise.all([
    verify(Date.now()),
    verify(Date.now(), `${body} `),
    verify(Date.now() - 3_600_000),
    verify(Date.now(), body, "other"),
  ]);
  expect(genuine).toMatchObject({ code: 0, stdout: expect.stringContaining('"valid": true') });
  expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining("does not match") });
  expect(replayed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the signature matches, but its time is"),
  });
  expect(unsigned).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("other: secret must be the webhook's"),
  });
});

test("creates webhooks, lists them without their secret, and redelivers their deliveries", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const of = ["--workspace", "Shop"];
  const url = "https://shop.example/hooks";
  const made = await world.json<{ id: string; secret: string }>(
    "webhooks",
    "create",
    url,
    "--event",
    "email.sent",
    "--json",
    ...of,
  );
  expect(made.secret).toMatch(/^whsec_/);
  const { id: deliveryId } = await world.posthorn.webhooks.test(
    { webhookId: made.id },
    { workspaceId: workspace.id },
  );
  const [listed, deliveries, again, missing, plain] = await Promise.all([
    world.run("webhooks", ...of),
    world.json<unknown[]>("webhooks", "deliveries", url, ...of),
    world.json("webhooks", "redeliver", deliveryId, ...of),
    world.run("webhooks", "deliveries", crypto.randomUUID(), ...of),
    world.run("webhooks", "create", "http://shop.example/hooks", "--event", "*", ...of),
  ]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: made.id, url, events: ["email.sent"] }]);
  expect(listed.stdout).not.toContain("whsec_");
  expect(deliveries).toMatchObject([{ id: deliveryId, event: "webhook.test", status: "pending" }]);
  expect(again).toMatchObject({ id: deliveryId });
  expect([missing.code, plain.code]).toEqual([3, 2]);
});
