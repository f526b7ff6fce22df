import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

export interface ClientAddressOptions {
  /**
   * Peers whose `X-Forwarded-For` is trusted: `true` for every peer (one proxy in front), or addresses and CIDR ranges.
   * Default: none, so that the socket's address counts.
   */
  trustProxy?: boolean | readonly string[];
}

/** Whether the hop at a distance from us (0 is the socket's peer) is a trusted proxy. */
export type ProxyCheck = (address: string, distance: number) => boolean;

/** Makes the test for trusted proxies. Throws a `TypeError` for a bad range. */
export function createProxyCheck(trustProxy: ClientAddressOptions["trustProxy"] = false): ProxyCheck {
  if (trustProxy === false) return () => false;
  // Trusting every peer means one proxy in front: the address that this proxy saw is the client's.
  if (trustProxy === true) return (_, distance) => distance === 0;
  const list = new BlockList();
  for (const range of trustProxy) {
    const [address = "", bits] = range.split("/");
    const family = isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : undefined;
    const length = bits === undefined ? (family === "ipv4" ? 32 : 128) : Number(bits);
    if (family === undefined || !/^\d{1,3}$/.test(bits ?? "0") || length > (family === "ipv4" ? 32 : 128)) {
      throw new TypeError(`${range} is not an address or CIDR range, such as 10.0.0.0/8`);
    }
    list.addSubnet(address, length, family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/**
 * Stands for clients without a known address, such as those of a Unix socket: guards count them together, because
 * exempting them would allow guessing.
 */
export const unknownAddress = "unknown";

/**
 * The client's address: the right-most hop that is no trusted proxy. What stands further left was written by that client and proves
 * nothing.
 */
export function clientAddressOf(
  socketAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  isProxy: ProxyCheck,
): string {
  const peer = plainAddress(socketAddress ?? "") ?? unknownAddress;
  if (forwardedFor === undefined || !isProxy(peer, 0)) return peer;
  const hops = String(forwardedFor).split(",").reverse();
  let address = peer;
  for (const [index, hop] of hops.entries()) {
    const next = plainAddress(hop.trim());
    if (next === undefined) return address;
    address = next;
    if (!isProxy(address, index + 1)) return address;
  }
  return address;
}

/** An address without an IPv4-mapped prefix; `undefined` if it is not an address. */
function plainAddress(text: string): string | undefined {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  return isIPv4(address) || isIPv6(address) ? address : undefined;
}

/** Whether an address is of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}
