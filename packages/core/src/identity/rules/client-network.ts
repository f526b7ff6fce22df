import ipaddr from "ipaddr.js";

/**
 * What a client is counted by: its IPv4 address, or the /64 of its IPv6 address, of which one customer has 2⁶⁴ others at hand. A text
 * that is no address counts as it stands.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64);
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  const [first, second, third, fourth] = (address as ipaddr.IPv6).parts;
  return `${[first, second, third, fourth].map((part) => (part ?? 0).toString(16)).join(":")}::/64`;
}
