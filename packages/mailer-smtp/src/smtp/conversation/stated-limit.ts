/**
 * The number that a server's offer of LIMITS gives for one of its limits (RFC 9422): of messages on a connection, or of
 * recipients of a transaction. Infinite if it gives none.
 */
export function statedLimit(extensions: Map<string, string>, name: "MAILMAX" | "RCPTMAX"): number {
  const limits = extensions.get("LIMITS");
  // Asked four times for each message, and hardly any server offers it.
  if (limits === undefined) return Number.POSITIVE_INFINITY;
  const words = limits.split(" ");
  const value = words[words.indexOf(name) + 1] ?? "";
  return words.includes(name) && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
}
