import type { MailResult, RecipientResult } from "@posthorn/core";
import { isInternational } from "../../../compose/is-international.ts";
import type { ConnectionPool } from "../create-connection-pool.ts";

/**
 * Delivers a message with recipients beyond ASCII, of which its header names none, to these apart from the others: from a
 * server without SMTPUTF8, the others get it all the same (RFC 6531 section 3.1).
 */
export async function deliverApart(
  { deliver }: Pick<ConnectionPool, "deliver">,
  delivery: Parameters<ConnectionPool["deliver"]>[0],
): Promise<MailResult> {
  const international = delivery.to.filter(isInternational);
  const plain = delivery.to.filter((address) => !isInternational(address));
  if (plain.length === 0) return deliver(delivery);
  const first = await deliver({ ...delivery, to: plain, isInternational: false });
  const { held } = first;
  const second: MailResult =
    held === undefined
      ? await deliver({ ...delivery, to: international })
      : { recipients: deferAll(international, first), inDoubt: false };
  const results = new Map([...first.recipients, ...second.recipients].map((one) => [one.address, one]));
  return {
    recipients: delivery.to.flatMap((address) => results.get(address) ?? []),
    inDoubt: first.inDoubt || second.inDoubt,
    steps: [...(first.steps ?? []), ...(second.steps ?? [])],
    // Once a server had the message for the first, nothing of it is held.
    ...(held === undefined ? {} : { held }),
  };
}

const deferAll = (to: readonly string[], { recipients: [first] }: MailResult): RecipientResult[] =>
  to.map((address) => ({ address, outcome: "deferred", reply: first?.reply ?? "" }));
