import { expect, test } from "vitest";
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

test.each([
  [source.size, undefined],
  [source.size - 1, "refused"],
  [0, undefined],
])("for a SIZE of %i bytes, messages of that size and one byte more are judged: %s", (most, outcome) => {
  const connection = { isSecure: false, extensions: new Map([["SIZE", String(most)]]) };
  expect(refusalOf(delivery, connection as unknown as SmtpConnection)?.outcome).toBe(outcome);
});
