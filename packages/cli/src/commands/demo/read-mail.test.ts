import { createAttachment } from "@posthorn/core/internal";
import { composeMessage } from "@posthorn/mailer-smtp/internal";
import { expect, test } from "vitest";
import { readMail } from "./read-mail.ts";

const message = {
  emailId: "e",
  messageId: "<e@example.com>",
  date: 0,
  from: { name: "Jürgen & Söhne", address: "shop@example.com" },
  to: [{ name: "", address: "ada@example.com" }],
  cc: [],
  replyTo: [],
  subject:
    "Größe: ☂ for everybody who reads a subject that is much longer than a single line of a header may be",
  html: `<p>Grüße ${"x".repeat(200)}=</p>`,
  text: "Grüße\n.\n..two dots\n",
  headers: [],
  attachments: [
    createAttachment({ filename: "a.txt", contentType: "text/csv", content: Buffer.from("a,b") }),
  ],
  envelope: { from: "shop@example.com", to: ["ada@example.com"] },
};

test("reads messages that the mailer composes", async () => {
  const mail = await readMail((await composeMessage(message)).toString("latin1"));
  expect(mail).toMatchObject({
    from: "Jürgen & Söhne <shop@example.com>",
    to: "ada@example.com",
    subject: message.subject,
    messageId: message.messageId,
  });
  expect(mail.html.trimEnd()).toBe(message.html);
  expect(mail.text.trimEnd()).toBe(message.text.trimEnd());
});
