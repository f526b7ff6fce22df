/** The local part that complaints may be sent to (platform.md P7). */
const complaintsTo = "fbl";

/** Where complaints about mail of a domain come in. */
export const complaintAddress = (domain: string): string => `${complaintsTo}@${domain}`;

/** Where the recipient of the e-mail that a token names unsubscribes by mail (platform.md P10). */
export const unsubscribeAddress = (token: string, domain: string): string => `u-${token}@${domain}`;

/** What an address of this service's is for. */
export type InboundAddress =
  | { kind: "report"; token: string; domain: string }
  | { kind: "unsubscription"; token: string; domain: string }
  | { kind: "complaint"; domain: string };

const named = /^(b|u)-([a-z2-7]{26})@([^@]+)$/i;

/** What an address is for, if it has the form of one of ours. Tokens are not checked yet. */
export function readInboundAddress(address: string): InboundAddress | undefined {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (address.slice(0, Math.max(0, at)).toLowerCase() === complaintsTo) return { kind: "complaint", domain };
  const [, sign = "", token] = named.exec(address) ?? [];
  if (token === undefined) return undefined;
  return { kind: sign.toLowerCase() === "u" ? "unsubscription" : "report", token, domain };
}
