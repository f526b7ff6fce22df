import type { EmailContentView } from "@posthorn/core";
import { z } from "zod";
import { wire } from "../route.ts";
import { named, time, timestamp } from "./schemas.ts";

const mailbox = named("Mailbox", z.object({ name: z.string(), address: z.string() }));

/** Rendered content of an e-mail, as it is handed over. */
export const emailContentWire = wire(
  named(
    "EmailContent",
    z.object({
      from: mailbox,
      sender: mailbox.nullable(),
      to: z.array(mailbox),
      cc: z.array(mailbox),
      reply_to: z.array(mailbox),
      subject: z.string(),
      date: timestamp,
      message_id: z.string(),
      headers: z.array(named("HeaderField", z.object({ name: z.string(), value: z.string() }))),
      html: z.string(),
      text: z.string(),
      calendar: named("CalendarObject", z.object({ method: z.string(), content: z.string() })).nullable(),
    }),
  ),
  (content: EmailContentView) => ({
    from: content.from,
    sender: content.sender ?? null,
    to: content.to,
    cc: content.cc,
    reply_to: content.replyTo,
    subject: content.subject,
    date: time(content.date),
    message_id: content.messageId,
    headers: content.headers,
    html: content.html,
    text: content.text,
    calendar: content.calendar ?? null,
  }),
);
