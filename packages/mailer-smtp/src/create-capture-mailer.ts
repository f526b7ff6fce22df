import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import type { DkimKey, Mailer, MailMessage } from "@posthorn/core";
import { checkOptions, flagCheck, type OptionChecks } from "@posthorn/core/internal";
import { type CapturedMail, type CapturedMailDetail, summaryOf } from "./capture/captured-mail.ts";
import { createDirectoryCaptureStore } from "./capture/directory-capture-store.ts";
import { createMemoryCaptureStore } from "./capture/memory-capture-store.ts";
import { previewOf } from "./capture/preview-of.ts";
import { readAttachedMessages } from "./compose/attached-messages.ts";
import { createComposer } from "./compose/compose-message.ts";
import { gather } from "./compose/message-source.ts";
import { createDkimSigner, isWithinDomain } from "./compose/sign-dkim.ts";
import { createServerProbe, type ServerProbeOptions } from "./create-server-probe.ts";
import { dkimCheck } from "./smtp-mailer-options.ts";

/** Options of the capture mailer. */
export interface CaptureMailerOptions extends ServerProbeOptions {
  /** Directory for the mails, where other processes and later starts see them. Without it they are kept in memory. */
  directory?: string | undefined;
  /**
   * Maximum number of stored mails; the oldest are dropped first. Default 1000. In memory they are dropped as well once
   * the mails have more than 256 MiB together.
   */
  limit?: number | undefined;
  /** Keys that sign captured mail as the SMTP mailer would, so that signatures can be inspected. */
  dkim?: readonly DkimKey[] | undefined;
}

const checks: OptionChecks<CaptureMailerOptions> = {
  directory: true,
  limit: true,
  dkim: dkimCheck,
  allowPrivateServers: flagCheck,
  allowInsecureServers: flagCheck,
};

/** A mailer that keeps mail instead of sending it, for development and tests. */
export interface CaptureMailer extends Mailer {
  /** Maximum number of stored mails; the oldest are dropped first. */
  readonly limit: number;
  /** The mails without their content, newest first. */
  list(this: void): CapturedMail[];
  /** One mail with its content and source. */
  find(this: void, id: string): CapturedMailDetail | undefined;
  /** Removes all mails. */
  clear(this: void): void;
  /**
   * Calls the listener for each mail this process captures from now on; if it fails, that is a warning of the process.
   * Returns the function that unsubscribes it.
   */
  subscribe(this: void, listener: (mail: CapturedMail) => void): () => void;
}

/** Makes a mailer that keeps mail instead of sending it, and accepts every recipient. */
export function createCaptureMailer(options: CaptureMailerOptions = {}): CaptureMailer {
  checkOptions("createCaptureMailer", options, checks);
  const limit = options.limit ?? 1000;
  if (!Number.isInteger(limit) || limit < 1) throw new TypeError("limit is not a positive whole number");
  const store =
    options.directory === undefined
      ? createMemoryCaptureStore(limit)
      : createDirectoryCaptureStore(options.directory, limit);
  const listeners = new Set<(mail: CapturedMail) => void>();
  const compose = createComposer();
  const sign = createDkimSigner(options.dkim);
  const nextId = createIdSource();

  return {
    concurrency: 100,
    limit,
    async send(sent) {
      const message = sent.isSensitive ? withoutContent(sent) : sent;
      const { id, receivedAt } = nextId();
      const source = await gather(await sign(compose(message, await readAttachedMessages(message)), message));
      const mail = captured(message, source, id, receivedAt);
      await store.add(mail);
      for (const listener of [...listeners]) void tell(listener, summaryOf(mail));
      const accepted = message.envelope.to.map((address) => ({
        address,
        outcome: "accepted" as const,
        code: 250,
        reply: "250 captured",
      }));
      return { recipients: accepted, inDoubt: false };
    },
    verify: async () => undefined,
    probe: createServerProbe(options),
    signs: (domain) => (options.dkim ?? []).some((key) => isWithinDomain(`@${domain}`, key.domain)),
    close: async () => listeners.clear(),
    list: store.list,
    find: store.find,
    clear: store.clear,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A listener that fails must not fail the sending: it would be repeated, and the mail kept twice. */
async function tell(listener: (mail: CapturedMail) => void, mail: CapturedMail): Promise<void> {
  try {
    await listener(mail);
  } catch (error) {
    process.emitWarning(`a listener for captured mail failed: ${inspect(error)}`);
  }
}

/** The content of a sensitive mail is not kept. */
const withoutContent = ({ parts: _, calendar: __, ...message }: MailMessage): MailMessage => ({
  ...message,
  subject: "",
  html: "",
  text: "The e-mail is marked as sensitive: its content is not stored.\n",
  attachments: [],
});

function captured(message: MailMessage, source: Buffer, id: string, receivedAt: number): CapturedMailDetail {
  const { emailId, messageId, from, subject, html, text, headers } = message;
  const attachments = message.attachments.map(({ filename, contentType, size }) => {
    return { filename, contentType, size };
  });
  const to = [...message.envelope.to];
  return {
    id,
    emailId,
    messageId,
    from,
    to,
    subject,
    receivedAt,
    html,
    text,
    headers,
    attachments,
    missing: [...(message.missing ?? [])],
    preview: previewOf(message),
    size: source.length,
    attachmentCount: attachments.length,
    source: source.toString("utf8"),
  };
}

/**
 * Creates ids that sort by time: milliseconds, a counter within each, and random bits because other processes write
 * too.
 */
function createIdSource(): () => { id: string; receivedAt: number } {
  let last = 0;
  let counter = 0;
  return () => {
    const now = Date.now();
    // The counter can't overflow within one millisecond, and a clock set back does not change the order.
    counter = now > last ? 0 : counter + 1;
    last = Math.max(now, last);
    if (counter > 0xffff) {
      last += 1;
      counter = 0;
    }
    const hex = (value: number, width: number) => value.toString(16).padStart(width, "0");
    return { id: `${hex(last, 12)}-${hex(counter, 4)}-${randomBytes(4).toString("hex")}`, receivedAt: now };
  };
}
