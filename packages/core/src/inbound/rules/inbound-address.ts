import { addressKey } from "../../rules/address-key.ts";
import { parseDomain } from "../../rules/addresses.ts";

/** Local part of the address for complaints (platform.md P7). */
const complaintsTo = "fbl";

/** Returns the address for complaints about mail of a domain. */
export const complaintAddress = (domain: string): string => `${complaintsTo}@${domain}`;

/** Returns the address at which the recipient of the token's e-mail unsubscribes by mail (platform.md P10). */
export const unsubscribeAddress = (token: string, domain: string): string => `u-${token}@${domain}`;

/** Purpose of one of this service's addresses. */
export type InboundAddress =
  | { kind: "report"; token: string }
  | { kind: "unsubscription"; token: string }
  | { kind: "complaint"; domain: string };

/**
 * Returns the purpose of an address that has the form of ours, in any case; tokens are not verified. The domain is in
 * lower-case ASCII, as domains are stored: `smtp-server` gives an international one in Unicode.
 */
export function readInboundAddress(text: string): InboundAddress | undefined {
  const address = addressKey(text);
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(0, at));
  if (local === complaintsTo) {
    const domain = parseDomain(address.slice(at + 1));
    return domain === undefined ? undefined : { kind: "complaint", domain };
  }
  const [, sign, token] = /^([bu])-([a-z2-7]{26})$/.exec(local) ?? [];
  if (token === undefined) return undefined;
  return { kind: sign === "u" ? "unsubscription" : "report", token };
}
