import { addressKey } from "../../ports/storage/address-key.ts";
import { domainOf, parseDomain, parseMailbox } from "../../rules/addresses.ts";

/** What is suppressed, and what it is compared by. */
export interface SuppressedAddress {
  /** As it was given, without a display name. */
  address: string;
  /** The address in lower case with its domain in punycode, or `@` and the domain. Dots and what follows a plus stay: they are others' mailboxes. */
  addressKey: string;
}

/** Reads `a@b`, `Name <a@b>` or, for a whole domain, `@b`; `undefined` for anything else. */
export function parseSuppressed(text: string): SuppressedAddress | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith("@")) {
    const domain = parseDomain(trimmed.slice(1));
    return domain === undefined ? undefined : { address: `@${domain}`, addressKey: `@${domain}` };
  }
  const address = parseMailbox(trimmed)?.address;
  return address === undefined ? undefined : { address, addressKey: addressKey(address) };
}

/** The keys under which a suppression would stop mail to a parsed address: its own, and its domain's. */
export const keysOf = (address: string): string[] => [addressKey(address), `@${domainOf(address)}`];
