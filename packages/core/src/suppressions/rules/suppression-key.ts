import { addressKey } from "../../rules/address-key.ts";
import { domainOf, parseDomain, parseMailbox } from "../../rules/addresses.ts";

/** A suppressed address or domain with its key for comparison. */
export interface SuppressedAddress {
  /** The address as it was given, without a display name. */
  address: string;
  /**
   * The address in lower case with its domain in punycode, or `@` and the domain. Dots and a suffix after a plus sign
   * are kept, as they may belong to other mailboxes.
   */
  addressKey: string;
}

/** Parses `a@b`, `Name <a@b>` or, for a whole domain, `@b`. Returns `undefined` for any other text. */
export function parseSuppressed(text: string): SuppressedAddress | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith("@")) {
    const domain = parseDomain(trimmed.slice(1));
    return domain === undefined ? undefined : { address: `@${domain}`, addressKey: `@${domain}` };
  }
  const address = parseMailbox(trimmed)?.address;
  return address === undefined ? undefined : { address, addressKey: addressKey(address) };
}

/** Returns the keys under which a parsed address may be suppressed: its own and its domain's. */
export const keysOf = (address: string): string[] => [addressKey(address), `@${domainOf(address)}`];
