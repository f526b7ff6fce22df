import { expect, test } from "vitest";
import { classifyRefusal } from "../classify-refusal.ts";
import { readPostmark } from "./postmark.ts";
import type { ProviderReport } from "./provider-report.ts";
import { readResend } from "./resend.ts";
import { readSes } from "./ses.ts";

const postmark = (Details: string): ProviderReport[] =>
  readPostmark({ RecordType: "Bounce", Type: "HardBounce", Email: "ada@example.com", Details });

const resend = (bounce: object): ProviderReport[] =>
  readResend({
    type: "email.bounced",
    data: { email_id: "1", to: ["ada@example.com"], bounce: { type: "Permanent", ...bounce } },
  });

const ses = (diagnosticCode: string): ProviderReport[] =>
  readSes({
    notificationType: "Bounce",
    bounce: {
      bounceType: "Permanent",
      bouncedRecipients: [{ emailAddress: "ada@example.com", action: "failed", diagnosticCode }],
    },
    mail: { messageId: "1" },
  });

const explanation = "The recipient's email provider sent a hard bounce message.";

test.each([
  [
    "Postmark's details",
    postmark("smtp;554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]"),
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]",
    "invalid_recipient",
  ],
  ["SES's diagnostic code", ses("smtp; 550 No such user"), "550 No such user", "invalid_recipient"],
  [
    "Resend's diagnostic code",
    resend({ message: explanation, diagnosticCode: ["smtp; 550 5.1.1 user unknown"] }),
    "550 5.1.1 user unknown",
    "invalid_recipient",
  ],
  ["Resend's message, if it is all", resend({ message: explanation }), explanation, "other"],
])("%s is read as the server's reply", (_, reports, reply, category) => {
  const [finding] = reports.flatMap(({ findings }) => findings);
  expect(finding?.reply).toBe(reply);
  expect(classifyRefusal({ status: finding?.status, reply, stage: "recipient" }).category).toBe(category);
});
