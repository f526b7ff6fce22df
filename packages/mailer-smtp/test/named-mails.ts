import type { MailResult } from "@posthorn/core";
import { sourceOf } from "../src/compose/message-source.ts";
import type { ConnectionPool } from "../src/smtp/pool/create-connection-pool.ts";

/** What one mail has of its own. */
interface Mail {
  to?: string[];
  isInternational?: boolean;
  signal?: AbortSignal;
  isStillOurs?: () => boolean;
  patience?: number;
}

/** Sends a mail whose subject, sender and recipient have this name. */
export const deliver = (
  pool: ConnectionPool,
  name: string,
  { to, ...over }: Mail = {},
): Promise<MailResult> =>
  pool.deliver({
    from: `${name}@example.org`,
    to: to ?? [`${name}@example.net`],
    source: sourceOf([Buffer.from(`Subject: ${name}\r\n\r\nhello\r\n`)]),
    envelopeId: name,
    isInternational: false,
    ...over,
  });

/** Tells what became of a mail: `accepted 250`. */
export const told = ({ recipients, inDoubt, held }: MailResult): string =>
  [
    ...recipients.map(({ outcome, code }) => (code === undefined ? outcome : `${outcome} ${code}`)),
    ...(inDoubt ? ["in doubt"] : []),
    ...(held === undefined ? [] : [held.cause]),
  ].join(", ");

/** Sends mails of these names, all at once, and tells what became of each. */
export async function sendAll(
  pool: ConnectionPool,
  names: string[],
  mail: (name: string) => Mail = () => ({}),
) {
  return Promise.all(names.map(async (name) => told(await deliver(pool, name, mail(name)))));
}

/** The name of the mail that has this content. */
export const nameOf = (content: string): string => /Subject: (\w+)/.exec(content)?.[1] ?? "";
/** As many names: `m0`, `m1` … */
export const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `m${index}`);
export const accepted = (count: number): string[] => Array.from({ length: count }, () => "accepted 250");
