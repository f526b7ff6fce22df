/** Maximum characters of a DNS name (RFC 1035 §3.1: 255 bytes, of which two are not characters). */
export const longestName = 253;

/** Returns a name as a DNS panel expects it: relative to the zone, `@` for the zone itself. */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** Returns the domain and its parents, down to two labels: any of these may cover a sender's domain. */
export function namesAbove(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(0, -1).map((_, index) => parts.slice(index).join("."));
}
