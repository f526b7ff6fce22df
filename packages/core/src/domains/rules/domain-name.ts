/** A name as a DNS panel wants it typed: relative to the zone, `@` for the zone itself. */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** The domain and those above it, down to two parts: by which of them a sender's domain may be verified. */
export function namesAbove(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(0, -1).map((_, index) => parts.slice(index).join("."));
}
