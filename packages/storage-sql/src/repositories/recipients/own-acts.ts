type Row = Record<string, string | number | null>;

/** Columns of an event that tell who caused it, and from where. */
export const actColumns: readonly string[] = ["actor_id", "actor_name", "client_ip"];

/** Events of what a link to unsubscribe does. */
const changes: ReadonlySet<unknown> = new Set([
  "suppression.created",
  "suppression.updated",
  "suppression.deleted",
]);

/**
 * Whether an event that names a person is an act of theirs, by the link in an e-mail: then the client's address is
 * theirs, too. Members also allow again whom a link suppressed, and have a number as actors; programs have the key's name.
 */
export function isOwnAct(row: Row): boolean {
  if (!row["client_ip"]) return false;
  if (row["type"] === "email.unsubscribed") return true;
  const isByOther = row["actor_id"] !== null || String(row["actor_name"]).startsWith("API key ");
  return changes.has(row["type"]) && !isByOther && String(row["metadata"]).includes('"unsubscribe"');
}
