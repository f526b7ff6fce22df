import { parseDomain } from "../rules/addresses.ts";

/** Records stand up to 33 characters before the name, and names end at 253. */
const longestName = 220;
const mostParts = 10;
/** Suffixes that the public list does not have, and that lead nowhere (RFC 2606): for examples and tests. */
const reserved = /\.(?:example|test|invalid)$/;

/** A domain's name that was read. */
export interface ParsedDomain {
  name: string;
  /** The domain at which names begin to be somebody's: `shop.example` of `mail.shop.example`. */
  organisation: string;
}

/**
 * Reads a domain's name into lower-case ASCII. A text that can't be one, or that nobody can have for their own, answers the fault: a
 * public suffix (`co.uk`, `github.io`), an address, a name of this network alone, unless `allowPrivate`.
 */
export async function parseSendingDomain(
  text: string,
  allowPrivate: boolean,
): Promise<ParsedDomain | { fault: string; isRegistrable: boolean }> {
  const name = parseDomain(text.trim().replace(/\.$/, ""));
  if (name === undefined) return { fault: 'is no domain such as "shop.example"', isRegistrable: true };
  if (name.length > longestName)
    return {
      fault: `is longer than ${longestName} characters: its records would have no names`,
      isRegistrable: true,
    };
  if (name.split(".").length > mostParts)
    return { fault: `has more than ${mostParts} parts`, isRegistrable: true };
  const { parseName } = await import("./public-suffixes.ts");
  const { domain, isIcann, isPrivate } = parseName(name, { allowPrivateDomains: true });
  if (domain === null)
    return { fault: `${name} is a suffix under which others register`, isRegistrable: false };
  const isPublic = (isIcann || isPrivate || reserved.test(name)) && !name.endsWith(".arpa");
  if (!isPublic && !allowPrivate)
    return {
      fault: `${name} can't be registered: nobody outside this network would find it`,
      isRegistrable: false,
    };
  return { name, organisation: domain };
}

/** Whether a name is one that the whole world may look up; `include:` of an SPF record may say anything. */
export async function isPublicName(name: string): Promise<boolean> {
  const { parseName } = await import("./public-suffixes.ts");
  const { isIcann, isPrivate } = parseName(name, { allowPrivateDomains: true, validateHostname: false });
  return (
    /^[\w-]+(?:\.[\w-]+)+$/.test(name) && (isIcann === true || isPrivate === true || reserved.test(name))
  );
}
