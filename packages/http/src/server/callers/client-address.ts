import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

export interface ClientAddressOptions {
  /**
   * Peers whose `X-Forwarded-For` is trusted: `true` for every peer (one proxy in front), or addresses and CIDR ranges.
   * Default: none, so that the socket's address is used.
   */
  trustProxy?: boolean | readonly string[] | undefined;
}

/** Whether the hop at a distance from us (0 is the socket's peer) is a trusted proxy. */
export type ProxyCheck = (address: string, distance: number) => boolean;

/** Creates the check for trusted proxies. Throws a `TypeError` for an invalid range. */
export function createProxyCheck(trustProxy: ClientAddressOptions["trustProxy"] = false): ProxyCheck {
  if (trustProxy === false) return () => false;
  // Trusting every peer means one proxy in front: its peer's address is the client's.
  if (trustProxy === true) return (_, distance) => distance === 0;
  const list = new BlockList();
  for (const range of trustProxy) {
    const [address = "", bits] = String(range).split("/");
    const family = isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : undefined;
    const length = bits === undefined ? (family === "ipv4" ? 32 : 128) : Number(bits);
    if (family === undefined || !/^\d{1,3}$/.test(bits ?? "0") || length > (family === "ipv4" ? 32 : 128)) {
      throw new TypeError(
        `trustProxy must hold addresses and CIDR ranges such as 10.0.0.0/8; it holds ${JSON.stringify(String(range))}`,
      );
    }
    list.addSubnet(address, length, family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/**
 * Address of clients without a known one, such as those of a Unix socket. Guards count them together, because an
 * exemption would allow guessing.
 */
export const unknownAddress = "unknown";

/**
 * Returns the client's address: the right-most hop that is not a trusted proxy. Entries further left were written by
 * that client and prove nothing.
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
    const next = plainAddress(withoutPort(hop.trim()));
    if (next === undefined) return address;
    address = next;
    if (!isProxy(address, index + 1)) return address;
  }
  return address;
}

/**
 * Returns a hop without its port, which some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`, or only
 * `[2001:db8::1]`.
 */
function withoutPort(hop: string): string {
  const [, inBrackets, bare] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(hop) ?? [];
  return inBrackets ?? bare ?? hop;
}

/** Returns an address without an IPv4-mapped prefix; `undefined` if it is not an address. */
function plainAddress(text: string): string | undefined {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  return isIPv4(address) || isIPv6(address) ? address : undefined;
}

/** Whether an address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}
