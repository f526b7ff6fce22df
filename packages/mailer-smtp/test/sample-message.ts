import type { MailMessage } from "@posthorn/core";

/** Returns a small valid message for tests, with the given parts replaced. */
export function sampleMessage(changes: Partial<MailMessage> = {}): MailMessage {
  return {
    emailId: "0199d3c1-7a5e-7000-8000-000000000001",
    messageId: "<0199d3c1-7a5e-7000-8000-000000000001@example.org>",
    date: Date.UTC(2026, 10, 21, 6, 0, 0),
    from: { name: "Ann", address: "ann@example.org" },
    to: [{ name: "", address: "bob@example.net" }],
    cc: [],
    replyTo: [],
    subject: "Hello",
    html: "",
    text: "Good day\n",
    headers: [],
    attachments: [],
    envelope: { from: "bounce@example.org", to: ["bob@example.net"] },
    ...changes,
  };
}
