import { isIP } from "node:net";
import { parseDomain } from "../../rules/addresses.ts";
import { isInnerName, isPublicAddress, unlessAllowed } from "../../rules/public-address.ts";

/** Ports of mail servers. */
export const mailPorts: readonly number[] = [25, 465, 587, 2525];

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns a mail server's host in the form that is stored, or its fault. It checks only the form: the address behind a
 * name is judged at each connection. `allowPrivate` permits private hosts.
 */
export function readServerHost(text: string, allowPrivate: boolean): { host: string } | { fault: string } {
  const typed = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (isIP(typed) !== 0) {
    if (allowPrivate || isPublicAddress(typed)) return { host: typed };
    return { fault: `must be a public address${unlessAllowed}` };
  }
  const name = typed.replace(/\.$/, "");
  const domain = parseDomain(name) ?? (label.test(name.toLowerCase()) ? name.toLowerCase() : undefined);
  if (domain === undefined) return { fault: "is neither a host name nor an IP address" };
  if (!allowPrivate && isInnerName(domain)) return { fault: `must lead to a public host${unlessAllowed}` };
  return { host: domain };
}
