import type { MailResult } from "@posthorn/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { passTime, stopTime } from "../test/pass-time.ts";
import { sampleMessage } from "../test/sample-message.ts";
import type { Script, ScriptedSession } from "../test/scripted-server.ts";
import { startScriptedServer } from "../test/start-scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

type Command = NonNullable<Script["command"]>;
interface Case extends Script, Pick<SmtpMailerOptions, "accessToken" | "timeouts"> {
  /** User information in the URL before the host. */
  login?: string;
  query?: string;
  /** Senders of consecutive mails. Default: the same sender twice. */
  from?: string[];
  to?: string[];
  /** Result of each mail: the first recipient's outcome, or the cause of the hold, with the code. */
  becomes: string[];
  /** Total number of connections. */
  connections: number;
  /** Logins that were tried, where that matters. */
  logins?: number;
}

const same = "ann@example.org";
const takes = ["accepted 250", "accepted 250"];
/** Replies to the n-th MAIL (from 1) of a connection with this text, and to everything else as usual. */
const atMail =
  (reply: string, isHit: (session: ScriptedSession) => boolean): Command =>
  (line, session) =>
    line.startsWith("MAIL") && isHit(session) ? reply : null;
const afterTwo = ({ message }: ScriptedSession) => message > 2;
const five = Array(5).fill(same);
const auth = (mechanisms: string) => ["PIPELINING", `AUTH ${mechanisms}`];
const encoded = (text: string) => Buffer.from(text).toString("base64");
/** Replies to the lines of a login, in order; refuses mail without it. */
function loginScript(replies: Record<string, string>): Command {
  const loggedIn = new WeakSet<ScriptedSession>();
  return (line, session) => {
    const reply = replies[line] ?? (line.startsWith("AUTH") ? "504 5.5.4 unknown mechanism" : undefined);
    if (reply?.startsWith("235")) loggedIn.add(session);
    if (reply !== undefined) return reply;
    return line.startsWith("MAIL") && !loggedIn.has(session) ? "530 log in first" : null;
  };
}
const plain = encoded("\0ann\0sesame");

const cases: Record<string, Case> = {
  "asks for the initial response of AUTH PLAIN again": {
    login: "ann:sesame@",
    extensions: auth("PLAIN"),
    command: loginScript({ [`AUTH PLAIN ${plain}`]: "334", [plain]: "235 ok" }),
    becomes: takes,
    connections: 1,
  },
  "offers PLAIN and accepts LOGIN only": {
    login: "ann:sesame@",
    extensions: auth("PLAIN LOGIN"),
    command: loginScript({
      "AUTH LOGIN": "334 VXNlcm5hbWU6",
      [encoded("ann")]: "334 UGFzc3dvcmQ6",
      [encoded("sesame")]: "235 ok",
    }),
    becomes: takes,
    connections: 1,
  },
  "logs in by CRAM-MD5 only (RFC 2195, the example)": {
    login: "tim:tanstaaftanstaaf@",
    extensions: auth("CRAM-MD5"),
    command: loginScript({
      "AUTH CRAM-MD5": "334 PDE4OTYuNjk3MTcwOTUyQHBvc3RvZmZpY2UucmVzdG9uLm1jaS5uZXQ+",
      dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw: "235 ok",
    }),
    becomes: takes,
    connections: 1,
  },
  "requires a token": {
    login: "ann@",
    accessToken: async () => "t0ken",
    extensions: auth("PLAIN XOAUTH2"),
    command: loginScript({
      [`AUTH XOAUTH2 ${encoded("user=ann\x01auth=Bearer t0ken\x01\x01")}`]: "235 ok",
    }),
    becomes: takes,
    connections: 1,
  },
  "refuses a token by a challenge": {
    login: "ann:old@",
    query: "auth=xoauth2",
    extensions: auth("XOAUTH2"),
    command: (line) =>
      line.startsWith("AUTH") ? "334 eyJzdGF0dXMiOiI0MDAifQ==" : line === "" ? "535 no" : null,
    becomes: ["settings", "settings"],
    connections: 1,
  },
  "refuses the password": {
    login: "ann:wrong@",
    extensions: auth("PLAIN LOGIN"),
    command: (line) => (line.startsWith("AUTH") ? "535 no" : null),
    becomes: ["settings", "settings"],
    connections: 1,
    // Each more would be another failed one in the account's eyes.
    logins: 1,
  },
  "repeats its challenge at PLAIN, and accepts LOGIN": {
    login: "ann:sesame@",
    extensions: auth("PLAIN LOGIN"),
    command: loginScript({
      [`AUTH PLAIN ${plain}`]: "334",
      [plain]: "334",
      "*": "501 5.7.0 cancelled",
      "AUTH LOGIN": "334 VXNlcm5hbWU6",
      [encoded("ann")]: "334 UGFzc3dvcmQ6",
      [encoded("sesame")]: "235 ok",
    }),
    becomes: takes,
    connections: 1,
  },
  "defers the login": {
    login: "ann:sesame@",
    extensions: auth("PLAIN"),
    command: (line) => (line.startsWith("AUTH") ? "454 4.7.0 temporary authentication failure" : null),
    becomes: ["limited", "limited"],
    connections: 1,
  },
  "defers STARTTLS": {
    extensions: ["STARTTLS"],
    command: (line) => (line === "STARTTLS" ? "454 TLS not available" : null),
    becomes: takes,
    connections: 1,
  },
  ...Object.fromEntries(
    [
      ["it is required", { query: "security=starttls" }],
      ["a password would be sent", { login: "ann:sesame@" }],
    ].map(([where, given]): [string, Case] => [
      `defers STARTTLS where ${where}`,
      {
        ...(given as Partial<Case>),
        extensions: ["STARTTLS", "AUTH PLAIN"],
        command: (line) => (line === "STARTTLS" ? "454 TLS not available" : null),
        becomes: ["unreachable", "unreachable"],
        connections: 1,
      },
    ]),
  ),
  "aborts the TLS handshake, which is remembered": {
    query: "messages_per_connection=1",
    extensions: ["STARTTLS"],
    command: (line, { socket }) => {
      if (line !== "STARTTLS") return null;
      socket.once("data", () => socket.end("no TLS here"));
      return "220 go";
    },
    becomes: takes,
    connections: 3,
  },
  "accepts two messages a connection, and replies 452": {
    from: five,
    command: atMail("452 too many messages", afterTwo),
    becomes: Array(5).fill("accepted 250"),
    connections: 3,
  },
  ...Object.fromEntries(
    ["421 4.7.0 bye", "450 no more", "503 bad sequence", "530 log in again", "554 no more mail"].map(
      (reply): [string, Case] => [
        `takes two mails a connection, and says ${reply}`,
        {
          from: five,
          command: atMail(reply, afterTwo),
          becomes: Array(5).fill("accepted 250"),
          connections: 3,
        },
      ],
    ),
  ),
  "drops a connection that carried mail": {
    command: (line, { socket, message }) => {
      if (!line.startsWith("RCPT") || message < 2) return null;
      socket.destroy();
      return undefined;
    },
    becomes: takes,
    connections: 2,
  },
  "defers one message, once": {
    command: atMail("451 later", ({ number }) => number === 1),
    becomes: takes,
    connections: 2,
  },
  "defers every message": {
    command: atMail("451 later", () => true),
    becomes: ["unreachable", "unreachable"],
    connections: 3,
  },
  "permanently refuses the sender": {
    command: atMail("550 5.7.1 not you", () => true),
    becomes: ["refused 550", "refused 550"],
    connections: 2,
  },
  "requires a login that it offers": {
    extensions: auth("PLAIN"),
    command: (line) => (line.startsWith("RCPT") ? "554 5.7.1 relay access denied" : null),
    becomes: ["deferred 554", "deferred 554"],
    connections: 2,
  },
  "replies 530 to everything": {
    command: (line) => (line.startsWith("EHLO") ? null : "530 authentication required"),
    becomes: ["settings", "settings"],
    connections: 3,
  },
  "refuses after 354, before the content": {
    command: (line, { socket }) => {
      if (line !== "DATA") return null;
      socket.write("354 go on\r\n");
      socket.end("554 5.6.0 no such mail\r\n");
      return undefined;
    },
    becomes: ["refused 554", "refused 554"],
    connections: 2,
  },
  "drops the connection at DATA each time": {
    command: (line, { socket }) => (line === "DATA" ? void socket.destroy() : null),
    becomes: ["unreachable", "unreachable"],
    connections: 3,
  },
  "discards the commands after MAIL": {
    timeouts: { command: 3_000 }, // Many turns of the event loop: an answer may take long on a busy machine.
    from: [same, same, same],
    query: "messages_per_connection=1",
    // Replies to a command sent alone, and discards the rest of commands sent together.
    command: (() => {
      const last = new WeakMap<ScriptedSession, number>();
      return (line, session) => {
        const now = session.socket.bytesRead;
        const isAlone = last.get(session) !== now;
        last.set(session, now);
        return isAlone || !/^(?:RCPT|DATA)/.test(line) ? null : undefined;
      };
    })(),
    becomes: ["accepted 250", "accepted 250", "accepted 250"],
    connections: 4,
  },
  "accepts two recipients at a time": {
    to: ["a@b.example", "c@d.example", "e@f.example", "g@h.example", "i@j.example"],
    command: (() => {
      let recipients = 0;
      return (line) => {
        if (line.startsWith("MAIL")) recipients = 0;
        if (line.startsWith("RCPT")) recipients += 1;
        return line.startsWith("RCPT") && recipients > 2 ? "452 4.5.3 too many recipients" : null;
      };
    })(),
    from: [same],
    becomes: ["accepted 250"],
    connections: 1,
  },
};

describe("a server that", () => {
  beforeEach(stopTime);

  test.each(Object.entries(cases))("%s", async (_, given) => {
    const { login = "", query = "", from = [same, same], to = ["bob@example.net"] } = given;
    const { becomes, connections, logins, accessToken, timeouts = {} } = given;
    const server = await startScriptedServer(given);
    const mailer = createSmtpMailer({
      url: `smtp://${login}127.0.0.1:${server.port}?${query}`,
      timeouts,
      ...(accessToken === undefined ? {} : { accessToken }),
    });
    onTestFinished(mailer.close);
    const told: string[] = [];
    for (const sender of from) {
      const sending = mailer.send(sampleMessage({ envelope: { from: sender, to } }));
      const result = await passTime(sending, { stepMs: 10, since: server.silent });
      expect(result.inDoubt).toBe(false);
      expect(new Set(result.recipients.map(shortly)).size).toBe(1);
      told.push(shortlyAll(result));
    }
    expect(told).toEqual(becomes);
    expect(server.sessions).toHaveLength(connections);
    const tried = server.commands.filter((line) => line.startsWith("AUTH"));
    expect(tried).toHaveLength(logins ?? tried.length);
  });
});

function shortly({ outcome, code, atRecipient }: MailResult["recipients"][number]): string {
  expect(atRecipient).toBeUndefined();
  return code === undefined ? outcome : `${outcome} ${code}`;
}

function shortlyAll({ recipients, held }: MailResult): string {
  return held?.cause ?? recipients.map(shortly)[0] ?? "";
}
