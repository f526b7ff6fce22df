import ipaddr from "ipaddr.js";

/** Whether an IP address is global unicast: not loopback, private, link-local, translated or reserved in any other way. */
export function isPublicAddress(address: string): boolean {
  // A zone identifier only means something on this machine.
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // ::/96 holds IPv4 addresses in an old form that some systems still connect to.
  return (
    parsed.kind() === "ipv4" ||
    !parsed
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  );
}
