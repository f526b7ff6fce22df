import { checkOptions, type OptionChecks } from "../ports/check-options.ts";
import type { Mailer, MailMessage, MailResult, RecipientResult } from "../ports/mailer.ts";

/** Conditions of a search in an inbox. All given ones must match. */
export interface MailQuery {
  /** A recipient's address; case is ignored. */
  to?: string | undefined;
  /** The whole subject, or a pattern. */
  subject?: string | RegExp | undefined;
}

/** The mails that a memory mailer accepted, oldest first. */
export interface MemoryInbox {
  /** All mails. */
  all(this: void): MailMessage[];
  /** The first matching mail, if there is one. */
  find(this: void, query: MailQuery): MailMessage | undefined;
  /**
   * Resolves to the first matching mail, waiting up to `timeoutMs` (default 60,000). The error lists the mails that are
   * there instead.
   */
  waitFor(this: void, query: MailQuery, timeoutMs?: number): Promise<MailMessage>;
  /** Removes all mails. */
  clear(this: void): void;
}

/** A mailer that sends nothing, and its mails. */
export interface MemoryMailer extends Mailer {
  /** The mails that it accepted. */
  inbox: MemoryInbox;
  /** Answers further messages with `respond`, or accepts them again if called without an argument. */
  answerWith(this: void, respond?: (message: MailMessage) => MailResult | Promise<MailResult>): void;
}

/** The response of a server that accepts a message for all recipients. */
export const acceptAll = (message: MailMessage): MailResult => ({
  recipients: message.envelope.to.map((address) => ({
    address,
    outcome: "accepted",
    code: 250,
    reply: "250 ok",
  })),
  inDoubt: false,
});

/** The response of a server that has one reply to all recipients. */
export const answerAll =
  (outcome: RecipientResult["outcome"], code: number | undefined, reply: string) =>
  (message: MailMessage): MailResult => ({
    recipients: message.envelope.to.map((address) => ({
      address,
      outcome,
      reply,
      ...(code === undefined ? {} : { code }),
    })),
    inDoubt: false,
  });

const checks: OptionChecks<{ concurrency?: number }> = {
  concurrency: ["a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1],
};

/** Creates a mailer for tests: it accepts all messages and keeps them in memory. It sends nothing. */
export function createMemoryMailer(options: { concurrency?: number } = {}): MemoryMailer {
  checkOptions("createMemoryMailer", options, checks);
  const { concurrency = 80 } = options;
  const mails: MailMessage[] = [];
  const watchers = new Set<() => void>();
  let respond: (message: MailMessage) => MailResult | Promise<MailResult> = acceptAll;
  const find = (query: MailQuery): MailMessage | undefined => mails.find((mail) => fits(mail, query));

  return {
    concurrency,
    async send(message) {
      const result = await respond(message);
      if (result.recipients.some(({ outcome }) => outcome === "accepted")) {
        mails.push(message);
        for (const watcher of [...watchers]) watcher();
      }
      return result;
    },
    verify: async () => undefined,
    close: async () => {},
    answerWith(given = acceptAll) {
      respond = given;
    },
    inbox: {
      all: () => [...mails],
      find,
      waitFor: (query, timeoutMs = 60_000) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => {
            watchers.delete(look);
            const there = mails.map(({ envelope, subject }) => `"${subject}" to ${envelope.to.join(", ")}`);
            reject(
              new Error(
                `no such mail within ${timeoutMs} ms; there ${there.length === 0 ? "is none" : `are: ${there.join("; ")}`}`,
              ),
            );
          }, timeoutMs);
          function look(): void {
            const mail = find(query);
            if (mail === undefined) return;
            clearTimeout(timer);
            watchers.delete(look);
            resolve(mail);
          }
          watchers.add(look);
          look();
        }),
      clear: () => void mails.splice(0),
    },
  };
}

function fits(mail: MailMessage, { to, subject }: MailQuery): boolean {
  if (to !== undefined && !mail.envelope.to.some((address) => address.toLowerCase() === to.toLowerCase()))
    return false;
  if (subject === undefined) return true;
  return typeof subject === "string" ? mail.subject === subject : subject.test(mail.subject);
}
