import ipaddr from "ipaddr.js";
import { isInnerName, isPublicAddress, unlessAllowed } from "../../rules/public-address.ts";

const maxUrl = 2_048;
/** Ports from 1024 on of other services, which could misread an HTTP request as commands of their own. */
const otherServices = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 2525, 3306, 3389, 4190, 5432, 5672, 5900, 5984, 6000, 6379, 6443,
  6665, 6666, 6667, 6668, 6669, 6697, 8500, 9042, 9092, 9200, 9300, 10250, 11211, 27017,
]);

/**
 * Returns what is wrong with a webhook's URL, or `undefined` (decisions §10). Checks only its form, including the name;
 * the address that a name resolves to is checked at each connection, see {@link isPublicAddress}. `allowPrivate`
 * permits plain HTTP, any port and internal hosts.
 */
export function checkTargetUrl(url: string, allowPrivate: boolean): string | undefined {
  if (url.length > maxUrl) return `must be at most ${maxUrl} characters long`;
  // A URL parser silently drops these characters, so that the URL called would differ from the one shown.
  if (/[\s\p{Cc}\\]/u.test(url)) return "must not contain spaces, line breaks or backslashes";
  if (!URL.canParse(url)) return "must be an absolute URL";
  const target = new URL(url);
  if (target.username !== "" || target.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(url))
    return "must not contain a user name or password";
  if (target.protocol === "http:" && !allowPrivate) return `must start with https://${unlessAllowed}`;
  // A parser also takes https:example.com.
  if (!/^https?:\/\//i.test(url)) return "must start with https://";
  if (!isResolvable(target.hostname))
    return "has a host that no DNS can know: its name, or a part of it, is too long or empty";
  if (target.port === "0") return "must not use port 0";
  if (allowPrivate) return undefined;
  if (!isAllowedPort(target.port)) return `must not use port ${target.port}${unlessAllowed}`;
  const fault = hostFault(target.hostname);
  return fault === undefined ? undefined : `${fault}${unlessAllowed}`;
}

/** Whether a host can be looked up: an address, or a name whose labels have 1 to 63 characters (RFC 1035 section 2.3.4). */
function isResolvable(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  const labels = name.split(".");
  return (
    hostname.startsWith("[") ||
    (name.length <= 253 && labels.every(({ length }) => length >= 1 && length <= 63))
  );
}

function isAllowedPort(port: string): boolean {
  const number = port === "" ? 443 : Number(port);
  return number === 443 || (number >= 1024 && !otherServices.has(number));
}

function hostFault(hostname: string): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? undefined : "must lead to a public address";
  const name = host.replace(/\.$/, "");
  return isInnerName(name) ? "must lead to a public host" : undefined;
}
