import type { MailMessage } from "@posthorn/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { accepted, outcomes, start } from "../test/open-mailer.ts";
import { passTime, stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import { openSocket } from "./smtp/connection/open-socket.ts";
import { SmtpFault } from "./smtp/connection/smtp-fault.ts";
import { createServerState } from "./smtp/pool/server/create-server-state.ts";
import type { ServerSettings } from "./smtp/settings/server-settings.ts";

const three = ["a@b.example", "c@d.example", "e@f.example"];
const toThree = sampleMessage({ envelope: { from: "s@b.example", to: three } });
const big = sampleMessage({ text: "line of text\n".repeat(400_000) });
type Opened = Awaited<ReturnType<typeof start>>;

/** Returns the outcomes for a server that stops replying. */
const outcomesInTime = ({ mailer, server }: Opened, message?: MailMessage) =>
  passTime(outcomes(mailer, message), { stepMs: 1_000, since: server.silent });

describe("a transaction", () => {
  test.each([[["PIPELINING", "SIZE 1000"]], [[]]])(
    "sends envelope and content with extensions %j",
    async (extensions) => {
      const { server, mailer } = await start({ extensions });
      const text = ".dot\n..dots\n.\nend";
      const message = sampleMessage({ text, envelope: { from: "", to: three } });
      expect(await outcomes(mailer, message)).toMatchObject({ results: Array(3).fill("accepted 250") });
      expect(server.contents[0]?.endsWith("\r\n\r\n..dot\r\n...dots\r\n..\r\nend")).toBe(true);
      const [, mail, ...others] = server.commands;
      expect(mail).toMatch(extensions.length > 0 ? /^MAIL FROM:<> SIZE=\d+$/ : /^MAIL FROM:<>$/);
      expect(others).toEqual([...three.map((address) => `RCPT TO:<${address}>`), "DATA"]);
    },
  );

  test.each([[["PIPELINING"]], [[]]])(
    "settles each recipient separately with extensions %j",
    async (extensions) => {
      const { server, mailer } = await start({
        extensions,
        command: (line) =>
          line.includes("a@b") ? "550 5.1.1 nobody" : line.includes("c@d") ? "450 later" : null,
      });
      expect(await outcomes(mailer, toThree)).toEqual({
        inDoubt: false,
        results: ["refused 550 at recipient", "deferred 450", "accepted 250"],
        replies: ["550 5.1.1 nobody", "450 later", "250 taken"],
      });
      expect(server.contents).toHaveLength(1);
    },
  );

  test.each([
    ["MAIL", "550 no", "refused 550"],
    ["RCPT", "554 no", "refused 554 at recipient"],
    ["RCPT", "452 full", "deferred 452"],
    ["RCPT", "552 too many recipients", "deferred 552"],
    ["RCPT", "552 5.2.2 mailbox full", "refused 552 at recipient"],
    ["MAIL", "450 4.1.8 no such domain", "deferred 450"],
    ["MAIL", "452 4.3.4 too big for now", "deferred 452"],
    ["dot", "535 no such content", "refused 535"],
    ["DATA", "554 no", "refused 554"],
    ["DATA", "451 later", "deferred 451"],
    ["dot", "552 too big", "refused 552"],
    ["dot", "452 full", "deferred 452"],
    ["dot", "421 closing", "deferred 421"],
  ])("%s answered by %s is %s, and the next message is unaffected", async (step, reply, result) => {
    let isFirst = true;
    const once = (isStep: boolean) => {
      if (!isStep || !isFirst) return null;
      isFirst = false;
      return reply;
    };
    for (const extensions of [["PIPELINING"], []]) {
      isFirst = true;
      const { mailer } = await start({
        extensions,
        command: (line) => once(line.startsWith(step)),
        dot: () => once(step === "dot"),
      });
      expect(await outcomes(mailer)).toMatchObject({ inDoubt: false, results: [result], replies: [reply] });
      expect(await outcomes(mailer)).toMatchObject(accepted);
    }
  });

  test("requests reports of failures and delays by the e-mail's id, and sets the envelope's sender if configured", async () => {
    const server = await startScriptedServer({ extensions: ["DSN"] });
    const mailer = createSmtpMailer({ url: `${server.url}?envelope_sender=back@shop.example` });
    onTestFinished(mailer.close);
    for (const from of ["ann@example.org", ""])
      await mailer.send(sampleMessage({ envelope: { from, to: ["bob+x=y@example.net"] } }));
    expect(server.commands.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual([
      "MAIL FROM:<back@shop.example> RET=HDRS ENVID=0199d3c1-7a5e-7000-8000-000000000001",
      "RCPT TO:<bob+x=y@example.net> NOTIFY=FAILURE,DELAY ORCPT=rfc822;bob+2Bx+3Dy@example.net",
      "MAIL FROM:<> RET=HDRS ENVID=0199d3c1-7a5e-7000-8000-000000000001",
      "RCPT TO:<bob+x=y@example.net> NOTIFY=FAILURE,DELAY ORCPT=rfc822;bob+2Bx+3Dy@example.net",
    ]);
  });

  test.each([
    ["dsn=success", "RCPT TO:<ada@example.net> NOTIFY=SUCCESS ORCPT=rfc822;ada@example.net"],
    ["dsn=none", "RCPT TO:<ada@example.net>"],
  ])("requests other reports, or none, if configured (%s)", async (parameters, expected) => {
    const server = await startScriptedServer({ extensions: ["DSN"] });
    const mailer = createSmtpMailer({ url: `${server.url}?${parameters}` });
    onTestFinished(mailer.close);
    await mailer.send(sampleMessage({ envelope: { from: "ann@example.org", to: ["ada@example.net"] } }));
    expect(server.commands.filter((line) => line.startsWith("RCPT"))).toEqual([expected]);
  });

  test("sends no content if the server asks for it after refusing every recipient", async () => {
    const { server, mailer } = await start({
      command: (line) => (line.startsWith("RCPT") ? "550 nobody" : null),
    });
    expect((await outcomes(mailer)).results).toEqual(["refused 550 at recipient"]);
    expect(server.contents.join("")).not.toContain("Good day");
  });

  test("is refused if the server closes with its refusal", async () => {
    const { mailer } = await start({
      command: (line, { socket }) => (line.startsWith("MAIL") ? void socket.end("550 blocked\r\n") : null),
    });
    expect(await outcomes(mailer)).toMatchObject({ inDoubt: false, results: ["refused 550"] });
  });

  test("shortens a reply to one line of at most 1 KiB", async () => {
    const lines = Array.from(
      { length: 60 },
      (_, index) => `550${index < 59 ? "-" : " "}\u0007\u001b[31m línea ${"x".repeat(90)}`,
    );
    const { mailer } = await start({
      command: (line) => (line.startsWith("MAIL") ? lines.join("\r\n") : null),
    });
    const { replies } = await outcomes(mailer);
    expect(Buffer.byteLength(replies[0] ?? "")).toBeLessThanOrEqual(1024);
    expect(replies[0]).toMatch(/^550 [^\p{Cc}]+$/u);
  });

  test("reads replies that end in bare line feeds or arrive in pieces", async () => {
    const { mailer } = await start({
      greeting: ({ socket }) => {
        socket.write("220-he");
        setImmediate(() => socket.write("llo\n220 you\n"));
        return undefined;
      },
      command: (line) => (line.startsWith("EHLO") ? "250-test\n250 PIPELINING\n" : null),
    });
    expect(await outcomes(mailer)).toMatchObject(accepted);
  });

  test("falls back to HELO", async () => {
    const { mailer, server } = await start({
      command: (line) => (line.startsWith("EHLO") ? "502 what" : null),
    });
    expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.commands[1]).toMatch(/^HELO /);
  });
});

describe("faults", () => {
  beforeEach(stopTime);

  test("a connection dropped after the final dot leaves the message in doubt", async () => {
    for (const message of [sampleMessage(), big]) {
      const { mailer, server } = await start({ dot: (_, { socket }) => void socket.destroy() });
      expect(await outcomes(mailer, message)).toMatchObject({ inDoubt: true, results: ["deferred"] });
      expect(server.sessions).toHaveLength(1);
    }
  });

  test("silence after the final dot leaves the message in doubt", async () => {
    expect(await outcomesInTime(await start({ dot: () => undefined }))).toEqual({
      inDoubt: true,
      results: ["deferred"],
      replies: ["no answer to the final dot within 90000 ms"],
    });
  });

  test("a connection dropped before the final dot leaves the message not in doubt", async () => {
    let seen = 0;
    const { mailer, server } = await start({
      content: (piece, { socket }) => {
        seen += piece.length;
        if (seen > 100_000) socket.destroy();
      },
    });
    expect(await outcomes(mailer, big)).toMatchObject({ inDoubt: false, results: ["deferred"] });
    expect(server.contents).toEqual([]);
  });

  test("a message that the server stops reading is not in doubt", async () => {
    const opened = await start({
      command: (line, { socket }) => {
        if (line !== "DATA") return null;
        socket.write("354 go on\r\n");
        socket.pause();
        return undefined;
      },
    });
    expect(await outcomesInTime(opened, big)).toMatchObject({ inDoubt: false, results: ["deferred"] });
  });

  test.each(["EHLO", "MAIL", "RCPT", "DATA"])(
    "a drop or silence at %s defers without doubt",
    async (step) => {
      for (const act of ["drop", "silence"]) {
        const opened = await start({
          // If the server ignored one of several pipelined commands, its replies would only seem out of order.
          extensions: act === "silence" ? [] : ["PIPELINING"],
          command: (line, { socket }) =>
            line.startsWith(step) ? void (act === "drop" && socket.destroy()) : null,
        });
        expect(await outcomesInTime(opened)).toMatchObject({ inDoubt: false, results: ["deferred"] });
      }
    },
  );

  test.each([
    ["HTTP", "HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n", /does not speak SMTP: HTTP\/1.1 400/],
    ["a line of 5 MB", `220 ${"x".repeat(5_000_000)}`, /more than 2097152 bytes/],
    ["3 MB of lines", `220-${"x".repeat(996)}\r\n`.repeat(3000), /more than 2097152 bytes/],
    ["changing codes", "220-x\r\n250 y", /changed the code/],
    ["a refusal", "554 go away", /^the server refuses the connection: 554 go away$/],
    ["early closing", "421 busy", /^the server refuses the connection: 421 busy$/],
    ["silence", undefined, /no answer to the connection within 90000 ms/],
  ])("a greeting of %s holds the server, with the reason", async (_, greeting, words) => {
    const opened = await start({ greeting: () => greeting });
    const { inDoubt, held, reason, results } = await outcomesInTime(opened);
    expect({ inDoubt, results }).toEqual({ inDoubt: false, results: ["deferred"] });
    expect(held).toBe(greeting?.startsWith("421") ? "limited" : "unreachable");
    expect(reason).toMatch(words);
    const verified = passTime(opened.mailer.verify(), { stepMs: 1_000, since: opened.server.silent });
    expect(await verified).toMatch(words);
  });

  test("a refused connection and an unknown host hold the server", async () => {
    const { mailer, server } = await start();
    await server.close();
    expect((await outcomes(mailer)).reason).toMatch(
      /could not connect to 127\.0\.0\.1:\d+: connect ECONNREFUSED$/,
    );
    const lost = createSmtpMailer({ url: "smtp://host.invalid" });
    expect((await outcomes(lost)).reason).toMatch(/could not connect to host\.invalid:25/);
    expect(await lost.verify()).toMatch(/host\.invalid/);
  });
});

test("a lack of resources in this process is reported as such", async () => {
  const server: ServerSettings = {
    host: "mail.example",
    port: 25,
    security: "none",
    clientName: "test.example",
    checksCertificate: false,
    publicOnly: false,
    resolver: {
      resolve: () => Promise.reject(Object.assign(new Error("too many open files"), { code: "EMFILE" })),
    },
  };
  await expect(openSocket(server, 1000)).rejects.toMatchObject({ kind: "own" });
  const state = createServerState(10, true);
  const lack = new SmtpFault("own", "too many open files");
  // With other connections open, fewer are tried; without any, everything waits for a moment.
  state.connected(4);
  state.cannotConnect(lack, 3, 0);
  expect([state.places(1), state.hold(1)]).toEqual([3, undefined]);
  state.cannotConnect(lack, 0, 0);
  expect(state.hold(1)).toEqual({ cause: "exhausted", reason: "too many open files", retryAfterMs: 999 });
});

test("a programmer's error is thrown, and nothing is sent", async () => {
  const { mailer, server } = await start();
  const to = ["a@b.example> RCPT TO:<v@evil.example"];
  await expect(mailer.send(sampleMessage({ envelope: { from: "a@b.example", to } }))).rejects.toThrow(
    TypeError,
  );
  await expect(mailer.send(sampleMessage({ subject: "a\r\nBcc: x@y.example" }))).rejects.toThrow(TypeError);
  expect(server.sessions).toHaveLength(0);
});

test("an unusable DKIM key of a message defers it, and one of the mailer is refused at once", async () => {
  const { mailer, server } = await start();
  const dkim = [{ domain: "example.org", selector: "s", privateKey: "nonsense" }];
  expect((await outcomes(mailer, sampleMessage({ dkim }))).replies[0]).toBe(
    "the mail can't be signed: dkim.privateKey is no private key in PEM",
  );
  expect(server.sessions).toHaveLength(0);
  expect(() => createSmtpMailer({ url: "smtp://127.0.0.1:1", dkim })).toThrow(/^dkim\.privateKey/);
});
