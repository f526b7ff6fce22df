import type { Mailbox, MailMessage } from "@posthorn/core";

/** Whether a text goes beyond ASCII: such an address needs a server with SMTPUTF8 (RFC 6531). */
export const isInternational = (text: string): boolean => /\P{ASCII}/u.test(text);

/** Whether a message has such an address, in its header or its envelope. */
export const hasInternational = (message: MailMessage): boolean =>
  isInternationalForAll(message) || message.envelope.to.some(isInternational);

/** Whether a message has such an address in its header or as its envelope's sender: whoever gets it needs SMTPUTF8. */
export function isInternationalForAll({ from, sender, to, cc, replyTo, envelope }: MailMessage): boolean {
  const ofAll = (people: readonly Mailbox[]): boolean =>
    people.some(({ address }) => isInternational(address));
  return (
    isInternational(from.address) ||
    (sender !== undefined && isInternational(sender.address)) ||
    ofAll(to) ||
    ofAll(cc) ||
    ofAll(replyTo) ||
    isInternational(envelope.from)
  );
}
