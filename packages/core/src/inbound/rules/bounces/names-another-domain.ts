import { parseAddress, parseDomain } from "../../../rules/addresses.ts";

const labels = String.raw`((?:[\p{L}\p{M}\p{N}_-]{1,63}\.){1,20}[\p{L}\p{M}\p{N}-]{1,63})`;
const missing = "(?:does ?n[o']t (?:exist|accept mail)|(?:is |was )?not found)";
/** The name of a domain that a reply calls missing, before or behind these words. */
const named = new RegExp(
  String.raw`\bdomain (?:name )?[<("']?${labels}[>)"']? ${missing}|\bdomain (?:name )?${missing} ?[:(<] ?[<"']?${labels}`,
  "iu",
);
/** The host that Postfix, Sendmail or qmail could not look up: its own relay's, if that is set wrongly. */
const lookedUp =
  /(?:\bname service error for name=|\(name server: |\blook up host |\bany host named )([\p{L}\p{M}\p{N}_.-]{1,255})/iu;

/**
 * Whether a reply says of a domain that it is missing, and the domain is none of these addresses': the sender's, for
 * instance. Without addresses, none is another's.
 */
export function namesAnotherDomain(reply: string, addresses: readonly string[]): boolean {
  const [, before, behind] = named.exec(reply) ?? [];
  const domain = before ?? behind ?? lookedUp.exec(reply)?.[1];
  return domain !== undefined && isAnotherDomain(domain, addresses);
}

/** Whether a domain is none of these addresses', nor above one of theirs. Without addresses, none is another's. */
export function isAnotherDomain(domain: string, addresses: readonly string[]): boolean {
  if (addresses.length === 0) return false;
  const name = domain.replace(/\.$/, "");
  const missed = parseDomain(name) ?? name.toLowerCase();
  // Not by a list of the domains above: what a report has in place of an address may have thousands of dots.
  return !addresses.some((address) => `.${domainOf(address)}`.endsWith(`.${missed}`));
}

const domainOf = (address: string): string =>
  (parseAddress(address) ?? address).replace(/^.*@/, "").toLowerCase();
