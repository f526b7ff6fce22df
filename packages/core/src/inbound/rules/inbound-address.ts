/** Local part of the address for complaints (platform.md P7). */
const complaintsTo = "fbl";

/** Returns the address for complaints about mail of a domain. */
export const complaintAddress = (domain: string): string => `${complaintsTo}@${domain}`;

/** Returns the address at which the recipient of the token's e-mail unsubscribes by mail (platform.md P10). */
export const unsubscribeAddress = (token: string, domain: string): string => `u-${token}@${domain}`;

/** Purpose of one of this service's addresses. */
export type InboundAddress =
  | { kind: "report"; token: string; domain: string }
  | { kind: "unsubscription"; token: string; domain: string }
  | { kind: "complaint"; domain: string };

const named = /^(b|u)-([a-z2-7]{26})@([^@]+)$/i;

/** Returns the purpose of an address that has the form of ours; tokens are not verified. */
export function readInboundAddress(address: string): InboundAddress | undefined {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (address.slice(0, Math.max(0, at)).toLowerCase() === complaintsTo) return { kind: "complaint", domain };
  const [, sign = "", token] = named.exec(address) ?? [];
  if (token === undefined) return undefined;
  return { kind: sign.toLowerCase() === "u" ? "unsubscription" : "report", token, domain };
}
