import type { Mailer, MailMessage, MailResult } from "../ports/mailer.ts";

/** What to look for in an inbox: each that is given must fit. */
export interface MailQuery {
  /** A recipient's address, compared case-insensitively. */
  to?: string;
  /** The whole subject, or a pattern. */
  subject?: string | RegExp;
}

/** The mails that a memory mailer took, oldest first. */
export interface MemoryInbox {
  all(): MailMessage[];
  find(query: MailQuery): MailMessage | undefined;
  /** The first mail that fits, now or within `timeoutMs` (default 5,000); rejects with what there is instead. */
  waitFor(query: MailQuery, timeoutMs?: number): Promise<MailMessage>;
  clear(): void;
}

/** A mailer that sends nothing, and what it took. */
export interface MemoryMailer extends Mailer {
  inbox: MemoryInbox;
  /** Answers further messages with `respond`, until it is called with nothing. */
  answerWith(respond?: (message: MailMessage) => MailResult | Promise<MailResult>): void;
}

/** What a server says that takes a message for everyone. */
export const acceptAll = (message: MailMessage): MailResult => ({
  recipients: message.envelope.to.map((address) => ({
    address,
    outcome: "accepted",
    code: 250,
    reply: "250 ok",
  })),
  inDoubt: false,
});

/** What a server says that refuses (5xx) or puts off (4xx) everyone. */
export const answerAll =
  (outcome: "refused" | "deferred", code: number, reply: string) =>
  (message: MailMessage): MailResult => ({
    recipients: message.envelope.to.map((address) => ({ address, outcome, code, reply })),
    inDoubt: false,
  });

/** A mailer for tests: takes every message and keeps it in memory. Sends nothing. */
export function createMemoryMailer({ concurrency = 8 }: { concurrency?: number } = {}): MemoryMailer {
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
      waitFor: (query, timeoutMs = 5_000) =>
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
