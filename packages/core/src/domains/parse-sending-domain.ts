import { parseDomain } from "../rules/addresses.ts";
import { longestDomain } from "./rules/domain-name.ts";

const maxParts = 10;
/** Suffixes that are not in the public list and never resolve (RFC 2606): for examples and tests. */
const reserved = /\.(?:example|test|invalid)$/;

/** A parsed domain name. */
export interface ParsedDomain {
  name: string;
  /** The registrable domain: `shop.example` for `mail.shop.example`. */
  organisation: string;
}

/**
 * Parses a domain's name into lower-case ASCII. Returns the fault for an invalid name and for one that nobody can own:
 * a public suffix (`co.uk`, `github.io`), an address, or a name that exists only in this network, unless
 * `allowPrivate`.
 */
export async function parseSendingDomain(
  text: string,
  allowPrivate: boolean,
): Promise<ParsedDomain | { fault: string; isRegistrable: boolean }> {
  const given = text.trim().replace(/\.$/, "");
  const name = parseDomain(given);
  if (name === undefined)
    return (await isTopLevel(given))
      ? publicSuffix(given.toLowerCase())
      : { fault: 'is not a domain such as "shop.example"', isRegistrable: true };
  if (name.length > longestDomain)
    return {
      fault: `is longer than ${longestDomain} characters: no address of its return path could be written`,
      isRegistrable: true,
    };
  if (name.split(".").length > maxParts)
    return { fault: `has more than ${maxParts} parts`, isRegistrable: true };
  const { parseName } = await import("./public-suffixes.ts");
  const { domain, isIcann, isPrivate } = parseName(name, { allowPrivateDomains: true });
  if (domain === null) return publicSuffix(name);
  const isPublic = (isIcann || isPrivate || reserved.test(name)) && !name.endsWith(".arpa");
  if (!isPublic && !allowPrivate)
    return {
      fault: `${name} can't be registered: nobody outside this network would find it`,
      isRegistrable: false,
    };
  return { name, organisation: domain };
}

const publicSuffix = (name: string) => ({
  fault: `${name} is a public suffix, under which anybody can register names`,
  isRegistrable: false,
});

/** Whether it is a single label under which names are registered, such as `com`. */
async function isTopLevel(text: string): Promise<boolean> {
  if (!/^[a-z-]{2,63}$/i.test(text)) return false;
  const { parseName } = await import("./public-suffixes.ts");
  return parseName(text, {}).isIcann === true;
}

/** Whether a name may be looked up in public DNS. An `include:` of an SPF record may contain any text. */
export async function isPublicName(name: string): Promise<boolean> {
  const { parseName } = await import("./public-suffixes.ts");
  const { isIcann, isPrivate } = parseName(name, { allowPrivateDomains: true, validateHostname: false });
  return (
    /^[\w-]+(?:\.[\w-]+)+$/.test(name) && (isIcann === true || isPrivate === true || reserved.test(name))
  );
}
