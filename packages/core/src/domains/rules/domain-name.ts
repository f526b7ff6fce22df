/** Maximum characters of a DNS name (RFC 1035 §3.1: 255 bytes, of which two are not characters). */
export const longestName = 253;
/**
 * Maximum characters of a return path's domain: in an address, of at most 254, `b-`, a token of 26 and `@` precede it
 * (RFC 5321 §4.5.3.1.3).
 */
export const longestReturnPath = 225;
/** Maximum characters of a sending domain: its return path is at least a letter and a dot longer. */
export const longestDomain = longestReturnPath - 2;

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
