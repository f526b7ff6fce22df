import ipaddr from "ipaddr.js";

/**
 * Returns the key under which a client is counted: its IPv4 address, or the /64 of its IPv6 address, as one customer
 * has 2⁶⁴ addresses at hand. A text that is no address is returned as it is.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64);
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  const [first, second, third, fourth] = (address as ipaddr.IPv6).parts;
  return `${[first, second, third, fourth].map((part) => (part ?? 0).toString(16)).join(":")}::/64`;
}
