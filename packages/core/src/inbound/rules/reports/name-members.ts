import { searched } from "./find-reasons.ts";
import type { Finding } from "./report.ts";

/** How Exim names, in its text, the member of an alias whom the mail did not reach, and the alias. */
const memberOf = /^ {2}(\S{3,320}@\S{1,253})\n {4}\(generated from (\S{3,320}@\S{1,253})\)$/gm;

/**
 * Adds the addresses to which mail for an alias was forwarded, which Exim (4.96) has only in its text: the
 * machine-readable part names the alias itself, once for each member whom the mail did not reach.
 */
export function nameMembers(findings: Finding[], text: string): Finding[] {
  const members = new Map<string, string[]>();
  for (const [, member = "", alias = ""] of text.slice(0, searched).matchAll(memberOf)) {
    const known = members.get(alias);
    if (known === undefined) members.set(alias, [member]);
    else known.push(member);
  }
  if (members.size === 0) return findings;
  return findings.map((one) => {
    const member = members.get(one.addresses.at(-1) ?? "")?.shift();
    return member === undefined ? one : { ...one, addresses: [...one.addresses, member] };
  });
}
