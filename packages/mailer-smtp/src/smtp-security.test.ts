import type { AddressInfo } from "node:net";
import type { Mailer, SmtpServerAddress } from "@posthorn/core";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { passTime, stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { testCertificate } from "../test/test-certificate.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

const password = "p@ss/wörd:%";
async function startServer(options: SMTPServerOptions = {}, host = "127.0.0.1") {
  const received: { isSecure: boolean; user: string; source: string }[] = [];
  const server = new SMTPServer({
    ...testCertificate,
    authOptional: true,
    // A reverse lookup is unnecessary and slow.
    disableReverseLookup: true,
    onAuth(auth, _, callback) {
      if (auth.username === "ann" && auth.password === password) callback(null, { user: "ann" });
      else callback(Object.assign(new Error("wrong password"), { responseCode: 535 }));
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const source = Buffer.concat(pieces).toString("latin1");
        received.push({ isSecure: session.secure, user: String(session.user || ""), source });
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { port, received };
}
function createMailer(url: string, options: Partial<SmtpMailerOptions> = {}) {
  const mailer = createSmtpMailer({ url, ...options });
  onTestFinished(mailer.close);
  return mailer;
}
/** Sends one mail; returns its outcome, with the hold if there is one. */
async function send(url: string, options: Partial<SmtpMailerOptions> = {}) {
  const { recipients, inDoubt, held } = await createMailer(url, options).send(sampleMessage());
  expect(inDoubt).toBe(false);
  return { outcome: recipients[0]?.outcome, reply: recipients[0]?.reply, ...held };
}
const login = `ann:${encodeURIComponent(password)}@`;

describe("TLS", () => {
  test("starts by STARTTLS if offered, and accepts any certificate unless a password is sent", async () => {
    const { port, received } = await startServer();
    expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ outcome: "accepted" });
    expect(received).toMatchObject([{ isSecure: true, user: "" }]);
  });

  test("stays off if it is disabled or not offered", async () => {
    const offered = await startServer();
    await send(`smtp://127.0.0.1:${offered.port}?security=none`);
    const hidden = await startServer({ hideSTARTTLS: true });
    await send(`smtp://127.0.0.1:${hidden.port}`);
    expect([...offered.received, ...hidden.received].map(({ isSecure }) => isSecure)).toEqual([false, false]);
  });

  test("that a message requires is used, or the message waits and others continue", async () => {
    const [offered, hidden] = [await startServer(), await startServer({ hideSTARTTLS: true })];
    const over = async (port: number, requiresTls: boolean) =>
      createMailer(`smtp://127.0.0.1:${port}`).send({ ...sampleMessage(), requiresTls });
    expect((await over(offered.port, true)).recipients).toMatchObject([{ outcome: "accepted" }]);
    const result = await over(hidden.port, true);
    expect(result).toMatchObject({
      recipients: [{ outcome: "deferred", reply: expect.stringContaining("requires TLS") }],
      inDoubt: false,
    });
    expect(result.held).toBeUndefined();
    expect((await over(hidden.port, false)).recipients).toMatchObject([{ outcome: "accepted" }]);
    expect(hidden.received).toHaveLength(1);
  });

  test("that is required never falls back to cleartext", async () => {
    const { port, received } = await startServer({ hideSTARTTLS: true });
    const result = await send(`smtp://127.0.0.1:${port}?security=starttls`);
    expect(result).toMatchObject({ outcome: "deferred", cause: "settings" });
    expect(result.reason).toMatch(/offers no STARTTLS/);
    expect(received).toEqual([]);
  });

  test.each(["smtp://HOST?security=starttls", "smtps://HOST", "smtp://LOGINHOST", "smtps://LOGINHOST"])(
    "with a bad certificate sends nothing over %s, unless configured to",
    async (form) => {
      const { port, received } = await startServer({ secure: form.startsWith("smtps") });
      const url = form.replace("LOGIN", login).replace("HOST", `127.0.0.1:${port}`);
      const refused = await send(url);
      expect(refused).toMatchObject({ outcome: "deferred", cause: "unreachable" });
      expect(refused.reason).toMatch(/could not set up TLS with 127\.0\.0\.1:\d+: .*certificate$/i);
      expect(received).toEqual([]);
      const allowed = await send(`${url}${url.includes("?") ? "&" : "?"}insecure_tls=true`);
      expect(allowed.outcome).toBe("accepted");
      expect(received).toMatchObject([{ isSecure: true, user: form.includes("LOGIN") ? "ann" : "" }]);
    },
  );

  const trusted = { tls: { ca: testCertificate.cert } };

  test("checks a server's IP address against the certificate's", async () => {
    // The certificate is for localhost and 127.0.0.1.
    const { port } = await startServer({ secure: true }, "0.0.0.0");
    expect(await send(`smtps://127.0.0.1:${port}`, trusted)).toMatchObject({ outcome: "accepted" });
    expect(await send(`smtps://localhost:${port}`, trusted)).toMatchObject({ outcome: "accepted" });
    const { reason } = await send(`smtps://127.0.0.2:${port}`, trusted);
    expect(reason).toMatch(/IP: 127\.0\.0\.2 is not in the cert's list/);
  });

  test("presents the client's certificate if there is one", async () => {
    const { port } = await startServer({
      secure: true,
      requestCert: true,
      rejectUnauthorized: true,
      ca: testCertificate.cert,
    });
    const url = `smtps://127.0.0.1:${port}`;
    expect(await send(url, trusted)).toMatchObject({ outcome: "deferred", cause: "unreachable" });
    const tls = { ca: testCertificate.cert, ...testCertificate };
    expect(await send(url, { tls })).toMatchObject({ outcome: "accepted" });
  });

  test("is at least the configured version", async () => {
    const { port } = await startServer({ secure: true, maxVersion: "TLSv1.2" });
    const url = `smtps://127.0.0.1:${port}`;
    expect(await send(url, trusted)).toMatchObject({ outcome: "accepted" });
    expect((await send(`${url}?tls_min=1.3`, trusted)).reason).toMatch(/no permitted TLS version$/);
  });

  test("discards what arrived before it in cleartext", async () => {
    const server = await startScriptedServer({
      extensions: ["STARTTLS"],
      command: (line) => (line === "STARTTLS" ? "220 go\r\n250 injected" : null),
    });
    expect((await send(server.url)).reason).toBe("the server sent more than one reply to STARTTLS");
  });
});

describe("login", () => {
  test.each([[["PLAIN"]], [["LOGIN"]]])("works by %j", async (authMethods) => {
    const { port, received } = await startServer({ authMethods, hideSTARTTLS: true });
    expect(await send(`smtp://${login}127.0.0.1:${port}`)).toMatchObject({ outcome: "accepted" });
    expect(received).toMatchObject([{ user: "ann" }]);
  });

  test("that fails holds the server, and shows the reply to the operator only, the password to nobody", async () => {
    const { port } = await startServer({ hideSTARTTLS: true });
    const url = `smtp://ann:sesame@127.0.0.1:${port}`;
    const words = "the server refuses the login: 535 wrong password";
    const { retryAfterMs, ...told } = await send(url);
    expect(retryAfterMs).toBeGreaterThan(20_000);
    expect(told).toEqual({
      outcome: "deferred",
      reply: "the mail server does not let the service send at present",
      cause: "settings",
      reason: words,
    });
    expect(await createMailer(url).verify()).toBe(words);
  });

  test("that no server asks for is skipped, and reported", async () => {
    const { port, received } = await startServer({ disabledCommands: ["AUTH"], hideSTARTTLS: true });
    const url = `smtp://${login}127.0.0.1:${port}`;
    expect(await send(url)).toMatchObject({ outcome: "accepted" });
    expect(received).toMatchObject([{ user: "" }]);
    expect(await createMailer(url).verify()).toBe("the server offers no login, so mail goes without");
  });
});

describe("a workspace's server", () => {
  const base = { id: "1", version: 1, port: 25, security: "none" } as const;
  const errorOf = async (mailer: Mailer, server: SmtpServerAddress) =>
    (await mailer.probe?.(server))?.steps.at(-1)?.error;

  test.each([
    "127.0.0.1",
    "localhost",
    "::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "100.64.0.1",
    "fd00::1",
    "fe80::1%lo",
    "64:ff9b::7f00:1",
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
  ])("at %s is not connected to", async (host) => {
    const mailer = createMailer("smtp://127.0.0.1:1");
    const server: SmtpServerAddress = { ...base, host };
    const { recipients, held } = await mailer.send(sampleMessage({ server }));
    expect(recipients[0]?.outcome).toBe("deferred");
    // No name server resolves a name such as 0x7f.1; the test is that no connection was made.
    const words = /not public|no address|could not be looked up/;
    expect(held?.reason).toMatch(words);
    expect(recipients[0]?.reply).toBe(held?.reason);
    expect(await errorOf(mailer, server)).toMatch(words);
  });

  test("at a port that is not for mail is not connected to", async () => {
    const mailer = createMailer("smtp://127.0.0.1:1");
    expect(await errorOf(mailer, { ...base, host: "8.8.8.8", port: 6379 })).toMatch(
      /port 6379 is not a mail port/,
    );
  });

  test("is used instead of the mailer's own, over connections by id", async () => {
    const [own, first, second] = await Promise.all([
      startScriptedServer(),
      startScriptedServer(),
      startScriptedServer(),
    ]);
    const mailer = createMailer(own.url, { allowPrivateServers: true, servers: 1 });
    const at = (port: number, id: string): SmtpServerAddress => ({ ...base, id, host: "127.0.0.1", port });
    const sendTo = async (server: SmtpServerAddress) =>
      (await mailer.send(sampleMessage({ server }))).recipients[0]?.outcome;
    for (const server of [
      at(first.port, "1"),
      at(first.port, "1"),
      at(second.port, "2"),
      at(first.port, "1"),
    ]) {
      expect(await sendTo(server)).toBe("accepted");
    }
    // With room for one server, using the second one closed the first one's connection.
    expect([own.sessions.length, first.sessions.length, second.sessions.length]).toEqual([0, 2, 1]);
    expect(await errorOf(mailer, at(second.port, "2"))).toBeUndefined();
    expect(await mailer.verify()).toBeUndefined();
  });
});

test("the steps of a message are recorded one by one, without secrets", async () => {
  const { port } = await startServer();
  const trusted = { tls: { ca: testCertificate.cert } };
  const mailer = createMailer(`smtp://${login}localhost:${port}`, trusted);
  const first = await mailer.send(sampleMessage());
  const second = await mailer.send(sampleMessage());
  const named = (steps: typeof first.steps = []) => steps.map(({ step, code = 0 }) => `${step} ${code}`);
  const transaction = ["mail_from 250", "rcpt_to 250", "data 354", "end_of_data 250"];
  const session = ["resolve 0", "connect 0", "greeting 220", "ehlo 0", "starttls 0", "ehlo 0", "auth 235"];
  expect(named(first.steps)).toEqual(["wait 0", ...session, ...transaction]);
  expect(named(second.steps)).toEqual(["wait 0", ...transaction]);
  expect(first.steps?.find(({ step }) => step === "starttls")?.reply).toMatch(/^TLSv1\.[23] /);
  expect(first.steps?.every(({ ms }) => ms >= 0 && ms < 60_000)).toBe(true);
  for (const secret of [password, Buffer.from(`\0ann\0${password}`).toString("base64")])
    expect(JSON.stringify(first.steps)).not.toContain(secret);
});

test("records a TLS step only if it was tried: the server's reply, or that it is not offered", async () => {
  const stepsTo = async (url: string) => (await createMailer(url).send(sampleMessage())).steps ?? [];
  const { port } = await startServer({ hideSTARTTLS: true });
  expect((await stepsTo(`smtp://127.0.0.1:${port}`)).map(({ step }) => step)).not.toContain("starttls");
  const barred = await stepsTo(`smtp://127.0.0.1:${port}?security=starttls`);
  expect(barred.find(({ step }) => step === "starttls")?.error).toContain("offers no STARTTLS");
  const busy = await startScriptedServer({
    extensions: ["STARTTLS"],
    command: (line) => (line === "STARTTLS" ? "454 4.7.0 no TLS now" : null),
  });
  const steps = await stepsTo(busy.url);
  expect(steps.find(({ step }) => step === "starttls")).toMatchObject({
    code: 454,
    reply: expect.stringContaining("no TLS now"),
  });
  expect(steps.at(-1)).toMatchObject({ step: "end_of_data", code: 250 });
});

test("the failed step states why", async () => {
  onTestFinished(stopTime());
  const server = await startScriptedServer({
    extensions: [],
    command: (line) => (line.startsWith("RCPT") ? undefined : null),
  });
  const sending = createMailer(server.url).send(sampleMessage());
  const { steps = [] } = await passTime(sending, { stepMs: 30_000, since: server.silent });
  expect(steps.at(-1)).toMatchObject({
    step: "rcpt_to",
    error: expect.stringContaining("no answer to RCPT"),
  });
});
