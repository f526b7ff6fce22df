import ipaddr from "ipaddr.js";

/**
 * Returns the network of an address: its /24, of IPv6 its /48, which don't identify a reader (platform.md P11).
 * `undefined` for a text that is no address.
 */
export function networkOf(ip: string): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") {
    const [first, second, third] = address.toByteArray();
    return `${first}.${second}.${third}.0/24`;
  }
  const [first = 0, second = 0, third = 0] = (address as ipaddr.IPv6).parts;
  return `${new ipaddr.IPv6([first, second, third, 0, 0, 0, 0, 0])}/48`;
}
