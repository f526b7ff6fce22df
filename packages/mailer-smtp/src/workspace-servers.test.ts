import { generateKeyPairSync } from "node:crypto";
import { getEventListeners } from "node:events";
import type { SmtpServerAddress } from "@posthorn/core";
import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import type { Script } from "../test/scripted-server.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { testCertificate } from "../test/test-certificate.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

function createMailer(options: Partial<SmtpMailerOptions> = {}) {
  const mailer = createSmtpMailer({ url: "smtp://127.0.0.1:1", allowPrivateServers: true, ...options });
  onTestFinished(mailer.close);
  return mailer;
}

/** Starts a server that counts its connections. */
async function startCounting() {
  const counts = { open: 0, most: 0 };
  const server = await startScriptedServer({
    greeting: ({ socket }) => {
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      socket.on("close", () => {
        counts.open -= 1;
      });
      return "220 test";
    },
  });
  return { server, counts };
}

const at = (port: number, over: Partial<SmtpServerAddress> = {}): SmtpServerAddress => ({
  id: "a",
  version: 1,
  host: "127.0.0.1",
  port,
  security: "none",
  ...over,
});
const login = { username: "ann", password: "sesame" };

describe("a refusal of the sender", () => {
  const refusing = (reply: string): Script => ({
    command: (line) => (line.startsWith("MAIL FROM:<b@") ? reply : null),
  });
  const send = (mailer: ReturnType<typeof createMailer>, port: number | undefined, from: string) =>
    mailer.send({
      ...sampleMessage({ envelope: { from, to: ["x@example.com"] } }),
      ...(port === undefined ? {} : { server: at(port) }),
    });

  test.each([
    "553 5.7.1 <b@shop.example>: Sender address rejected: not owned by user ann",
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "550 not authorized to send as b@shop.example",
    "554 Access denied",
  ])(
    "by the workspace's own account is a fault of its settings: no e-mail fails, and those of other senders continue (%s)",
    async (reply) => {
      const server = await startScriptedServer(refusing(reply));
      const mailer = createMailer();
      for (let n = 0; n < 4; n += 1) {
        const { steps: _, ...said } = await send(mailer, server.port, "b@shop.example");
        expect(said).toEqual({
          recipients: [
            { address: "x@example.com", outcome: "deferred", code: Number(reply.slice(0, 3)), reply },
          ],
          inDoubt: false,
        });
      }
      const { recipients } = await send(mailer, server.port, "a@shop.example");
      expect(recipients[0]?.outcome).toBe("accepted");
    },
  );

  test.each(["553 5.7.1 not owned", "550 5.7.60 not allowed"])(
    "by the operator's shared server fails only that e-mail: no tenant blocks the others (%s)",
    async (reply) => {
      const server = await startScriptedServer(refusing(reply));
      const mailer = createMailer({ url: server.url });
      expect(await send(mailer, undefined, "b@shop.example")).toMatchObject({
        recipients: [{ outcome: "refused" }],
      });
    },
  );

  test("for its size or its syntax fails only that e-mail", async () => {
    for (const reply of ["552 5.3.4 too big", "501 5.1.7 bad address"]) {
      const server = await startScriptedServer(refusing(reply));
      const { recipients, held } = await send(createMailer(), server.port, "b@shop.example");
      expect([recipients[0]?.outcome, held]).toEqual(["refused", undefined]);
    }
  });
});

test("a change of settings closes connections with the former ones; later messages with old settings use the new ones", async () => {
  const server = await startScriptedServer();
  const mailer = createMailer();
  const send = async (version: number) =>
    (await mailer.send(sampleMessage({ server: at(server.port, { version }) }))).recipients[0]?.outcome;
  expect([await send(1), await send(1), await send(2)]).toEqual(Array(3).fill("accepted"));
  await expect.poll(() => server.commands).toContain("QUIT");
  expect([await send(1), await send(2)]).toEqual(Array(2).fill("accepted"));
  expect(server.sessions).toHaveLength(2);
  expect(server.sessions.map(({ message }) => message)).toEqual([2, 3]);
});

test("of too many servers the one that was not used for longest loses its connections", async () => {
  const server = await startScriptedServer();
  const mailer = createMailer({ servers: 2 });
  for (const id of ["a", "b", "a", "c", "a"])
    await mailer.send(sampleMessage({ server: at(server.port, { id }) }));
  expect(server.sessions.map(({ message }) => message)).toEqual([3, 1, 1]);
});

test("a server that is forgotten no longer waits for the service's stop, which lasts as long as the process", async () => {
  const server = await startScriptedServer();
  const mailer = createMailer({ servers: 1 });
  const { signal } = new AbortController();
  for (const id of ["a", "b", "a", "b"])
    await mailer.send(sampleMessage({ server: at(server.port, { id }) }), { signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
});

test("an unreachable server is held for one second only, because its health is shared by all processes", async () => {
  const server = await startScriptedServer();
  await server.close();
  const mailer = createMailer();
  onTestFinished(stopTime());
  const { held } = await mailer.send(sampleMessage({ server: at(server.port) }));
  expect(held).toMatchObject({ cause: "unreachable", retryAfterMs: 1000 });
});

test("connections to a server follow its share, also when it changes", async () => {
  const { server, counts } = await startCounting();
  const mailer = createMailer();
  const sendMany = (connections: number) =>
    Promise.all(
      Array.from({ length: 12 }, () =>
        mailer.send(sampleMessage({ server: at(server.port, { connections }) })),
      ),
    );
  await sendMany(2);
  expect(counts.most).toBe(2);
  await sendMany(4);
  expect(counts.most).toBeLessThanOrEqual(4);
  await sendMany(1);
  await sendMany(1);
  expect(counts.open).toBe(1);
});

test.each([50, 5])(
  "many workspaces' servers on one host share its connections, and all make progress, with up to %d known at a time",
  async (servers) => {
    const { server, counts } = await startCounting();
    const mailer = createMailer({ connectionsPerHost: 4, servers });
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        mailer.send(sampleMessage({ server: at(server.port, { id: `workspace ${n % 20}` }) })),
      ),
    );
    expect(results.every(({ recipients }) => recipients[0]?.outcome === "accepted")).toBe(true);
    expect(server.contents).toHaveLength(60);
    expect(counts.most).toBeLessThanOrEqual(4);
  },
);

test("a busy server passes its place at the host on to another after ten messages", async () => {
  const server = await startScriptedServer();
  const mailer = createMailer({ connectionsPerHost: 1 });
  const ids = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "a" : "b"));
  await Promise.all(ids.map((id) => mailer.send(sampleMessage({ server: at(server.port, { id }) }))));
  expect(server.sessions.map(({ message }) => message)).toEqual([10, 10, 10, 10]);
});

describe("testing a server", () => {
  test("reports each step, TLS and extensions, and sends nothing", async () => {
    const { key, cert } = testCertificate;
    const asked: string[] = [];
    const server = new SMTPServer({
      key,
      cert,
      size: 1_000_000,
      onAuth: ({ username, password }, _, done) =>
        password === "sesame" ? done(null, { user: username }) : done(new Error(`no, not ${password}`)),
      onMailFrom: ({ address }, _, done) => {
        asked.push(address);
        done();
      },
      onData: () => asked.push("DATA"),
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve(undefined))));
    const { port } = server.server.address() as { port: number };
    const mailer = createMailer({ allowInsecureServers: true });
    const probe = (over: Partial<SmtpServerAddress>) =>
      mailer.probe?.(at(port, { security: "starttls", ...over }), { from: "a@shop.example" });
    const found = await probe(login);
    expect(found).toMatchObject({
      ok: true,
      steps: ["resolve", "connect", "greeting", "starttls", "auth", "mail_from"].map((step) => ({ step })),
      tls: { protocol: expect.stringMatching(/^TLS/), authorized: false },
      maxSize: 1_000_000,
    });
    expect(found?.extensions).toContain("SIZE 1000000");
    expect(asked).toEqual(["a@shop.example"]);
    // Servers echo their input in replies: no password must be readable there.
    const refused = await probe({ username: "ann", password: "hunter2" });
    expect(refused?.steps.at(-1)).toMatchObject({
      step: "auth",
      code: 535,
      reply: expect.stringContaining("not …"),
    });
    expect(JSON.stringify(refused)).not.toContain("hunter2");
    // What the server offers helps to find out why it refuses a login.
    expect(refused).toMatchObject({ ok: false, tls: found?.tls, maxSize: 1_000_000 });
    expect(refused?.extensions).toEqual(found?.extensions);
    const { held, recipients } = await mailer.send(
      sampleMessage({ server: at(port, { security: "starttls", ...login, password: "hunter2" }) }),
    );
    expect(held?.cause).toBe("settings");
    expect(JSON.stringify([held, recipients])).not.toContain("hunter2");
  });

  test.each<[string, Script, Partial<SmtpServerAddress>, string]>([
    ["greeting", { greeting: () => "554 5.7.1 go away" }, {}, "the server refuses the connection"],
    ["starttls", {}, { security: "starttls" }, "the server offers no STARTTLS, and cleartext is not allowed"],
    ["auth", {}, { ...login, needsLogin: true }, "the server offers no login"],
    [
      "mail_from",
      { command: (line) => (line.startsWith("MAIL") ? "553 no" : null) },
      {},
      "the server refuses the sender",
    ],
  ])("stops at the step that fails: %s", async (step, script, over, error) => {
    const server = await startScriptedServer(script);
    const found = await createMailer().probe?.(at(server.port, over), { from: "a@shop.example" });
    expect(found?.ok).toBe(false);
    expect(found?.steps.at(-1)).toMatchObject({ step, error });
    expect(found?.steps.filter((one) => one.step === step)).toHaveLength(1);
  });

  test("asks about a sender beyond ASCII as a delivery does", async () => {
    const command = (line: string) =>
      /^MAIL(?!.*SMTPUTF8)/.test(line) ? "553 5.6.7 Must declare SMTPUTF8 to send unicode address" : null;
    for (const isOffered of [true, false]) {
      const server = await startScriptedServer({
        extensions: isOffered ? ["8BITMIME", "SMTPUTF8"] : [],
        command,
      });
      const found = await createMailer().probe?.(at(server.port, {}), { from: "süd@shop.example" });
      expect(found?.steps.at(-1)).toMatchObject(
        isOffered
          ? { step: "mail_from", code: 250 }
          : { step: "mail_from", error: "the server accepts no addresses beyond ASCII" },
      );
    }
  });

  test("ignores an empty extension line, which some servers send last", async () => {
    const server = await startScriptedServer({ extensions: ["SIZE 5", ""] });
    const found = await createMailer().probe?.(at(server.port, {}));
    expect(found).toMatchObject({ ok: true, extensions: ["SIZE 5", "HELP"] });
  });

  test("refuses an address that is not public", async () => {
    const mailer = createMailer({ allowPrivateServers: false });
    expect((await mailer.probe?.(at(25, { host: "127.0.0.1" })))?.steps).toMatchObject([
      { step: "resolve", error: "127.0.0.1 leads to an address that is not public" },
    ]);
  });
});

test("the mailer names the domains that its keys sign", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const dkim = [{ domain: "shop.example", selector: "s", privateKey: pem }];
  const signs = (domain: string) => createMailer({ dkim }).signs?.(domain);
  expect(["shop.example", "mail.shop.example", "notshop.example"].map(signs)).toEqual([true, true, false]);
});
