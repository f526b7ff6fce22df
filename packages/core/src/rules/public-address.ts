import ipaddr from "ipaddr.js";

/**
 * Azure's host address, which gives a machine its secrets: it is in the public range, but reachable only from that
 * machine.
 */
const hostOfTheMachine = "168.63.129.16";
const innerNames = /(?:^|\.)(?:localhost|localdomain|internal|local|lan|home\.arpa|onion|test|invalid)$/;

/**
 * Whether an IP address is global unicast, the only kind that tenants may choose as a target, for webhooks and SMTP
 * servers. IPv4-mapped addresses are judged as IPv4. Of IPv6, only 2000::/3 is assigned for that (RFC 4291 §2.4),
 * without its special ranges (IANA's registry) and without every form that carries an IPv4 address to a gateway: NAT64,
 * 6to4, Teredo and ISATAP.
 */
export function isPublicAddress(address: string): boolean {
  // A zone id has a meaning only on this machine.
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv4") return parsed.toString() !== hostOfTheMachine;
  const bytes = parsed.toByteArray();
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 && !isIsatap(bytes);
}

/** Whether the interface identifier is `[02]00:5efe` with an IPv4 address, under any prefix (RFC 5214 §6.1). */
function isIsatap(bytes: number[]): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

/** Whether a host's name, in lower case, has a meaning only within a network or on this machine. */
export const isInnerName = (name: string): boolean => innerNames.test(name) || !name.includes(".");

/** The way out for whoever tries something on their own machine or network: the setting, by both of its names. */
export const unlessAllowed = ", unless the service has webhooks.allowPrivate (SERVICE_WEBHOOK_ALLOW_PRIVATE)";
