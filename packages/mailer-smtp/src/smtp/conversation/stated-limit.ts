/**
 * The number that a server's offer of LIMITS gives for one of its limits (RFC 9422): of messages on a connection, or of
 * recipients of a transaction. Infinite if it gives none.
 */
export function statedLimit(extensions: Map<string, string>, name: "MAILMAX" | "RCPTMAX"): number {
  const words = (extensions.get("LIMITS") ?? "").split(" ");
  const value = words[words.indexOf(name) + 1] ?? "";
  return words.includes(name) && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
}
