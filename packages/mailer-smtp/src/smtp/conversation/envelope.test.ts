import { expect, test } from "vitest";
import { openPool } from "../../../test/open-pool.ts";
import { sourceOf } from "../../compose/message-source.ts";
import type { SmtpConnection } from "../connection/open-connection.ts";
import type { Delivery } from "./delivery.ts";
import { envelopeCommands } from "./envelope-commands.ts";
import { refusalOf } from "./refusal-of.ts";
import { createStepLog } from "./step-log.ts";

const source = sourceOf([Buffer.from("Subject: hello\r\n\r\nhello\r\n")]);
const delivery: Delivery = {
  from: "ann@example.org",
  to: ["bob@example.net"],
  source,
  envelopeId: "7",
  isInternational: false,
  log: createStepLog(),
};

test("a server without DSN gets no DSN parameters, whatever the settings", () => {
  const { mail, recipients } = envelopeCommands(delivery, new Map(), ["failure"]);
  expect([mail, ...recipients]).toEqual(["MAIL FROM:<ann@example.org>\r\n", "RCPT TO:<bob@example.net>\r\n"]);
  expect(envelopeCommands(delivery, new Map([["DSN", ""]]), ["failure"])).toEqual({
    mail: "MAIL FROM:<ann@example.org> RET=HDRS ENVID=7\r\n",
    recipients: ["RCPT TO:<bob@example.net> NOTIFY=FAILURE ORCPT=rfc822;bob@example.net\r\n"],
  });
});

test("an address beyond ASCII has its signs escaped as RFC 6533 says, by which servers read them", () => {
  const international = { ...delivery, to: ["änn+a=b@example.net"], isInternational: true };
  expect(envelopeCommands(international, new Map([["DSN", ""]]), ["failure"]).recipients).toEqual([
    "RCPT TO:<änn+a=b@example.net> NOTIFY=FAILURE ORCPT=utf-8;\\x{E4}nn\\x{2B}a\\x{3D}b@example.net\r\n",
  ]);
});

test.each([
  [source.size, undefined],
  [source.size - 1, "refused"],
  [0, undefined],
  ["0x10", undefined],
])("for a SIZE of %s bytes, messages of that size and one byte more are judged: %s", (most, outcome) => {
  const connection = { isSecure: false, extensions: new Map([["SIZE", String(most)]]) };
  expect(refusalOf(delivery, connection as unknown as SmtpConnection)?.outcome).toBe(outcome);
});

test.each([
  ["MAIL", "RET=", "555 5.5.4 unsupported option: RET=HDRS"],
  ["RCPT", "NOTIFY=", "501 5.5.4 bad NOTIFY"],
  ["RCPT", "ORCPT=", "501 syntax error in parameters"],
])(
  "a server that offers DSN and refuses it at %s (%s) gets mails without",
  async (verb, parameter, refusal) => {
    const { pool, server } = await openPool({
      extensions: ["PIPELINING", "DSN"],
      command: (line) => (line.startsWith(verb) && line.includes(parameter) ? refusal : null),
    });
    for (const name of ["bob", "eve"]) {
      const { recipients } = await pool.deliver({ ...delivery, to: [`${name}@example.net`] });
      expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted"]);
    }
    expect(server.commands.filter((line) => line.includes("NOTIFY="))).toHaveLength(1);
  },
);

test("a refusal that is not about the request for reports is final at once", async () => {
  const { pool, server } = await openPool({
    extensions: ["DSN"],
    command: (line) => (line.startsWith("RCPT") ? "501 5.1.3 bad address" : null),
  });
  const { recipients } = await pool.deliver(delivery);
  expect(recipients).toMatchObject([{ outcome: "refused", code: 501 }]);
  expect(server.commands.filter((line) => line.startsWith("RCPT"))).toHaveLength(1);
});

test("a recipient refused for the request, while others are accepted, goes without it at once", async () => {
  const { server, pool } = await openPool({
    extensions: ["DSN", "PIPELINING"],
    command: (line) => (/<carol@.*NOTIFY=/.test(line) ? "501 5.5.4 bad NOTIFY" : null),
  });
  const to = ["bob@example.net", "carol@example.net"];
  const { recipients } = await pool.deliver({ ...delivery, to });
  expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
  expect(server.contents).toHaveLength(2);
  // That one recipient's server knows no reports says nothing about those of others.
  await pool.deliver({ ...delivery, to: ["dan@example.net"] });
  expect(server.commands).toContainEqual(expect.stringMatching(/<dan@.* NOTIFY=/));
});
