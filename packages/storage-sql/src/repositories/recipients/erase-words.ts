import { type ErasedPerson, readStoredList, readStoredObject } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { erasedSubject } from "./erase-emails.ts";

/** Finds the id of the e-mail that a text is about, by its field: `email_id` in webhook payloads, `id` in answers. */
const emailOf = (text: string): string | undefined => /"(?:email_)?id":"([0-9a-f-]{36})"/.exec(text)?.[1];

/** Whom an e-mail was sent to: the erased person alone, or others as well. */
export type Share = "alone" | "shared";

/** Makes a function that finds the share of the erased person in the e-mail that a text is about; `undefined` if none. */
export async function findShares(
  db: Handle,
  engine: Engine,
  { workspaceId, erasedAs }: ErasedPerson,
  texts: readonly string[],
): Promise<(text: string) => Share | undefined> {
  const ids = [...new Set(texts.flatMap((text) => emailOf(text) ?? []))];
  if (ids.length === 0) return () => undefined;
  const rows = await db
    .selectFrom("emails as e")
    .innerJoin("email_recipients as r", "r.email_id", "e.id")
    .select(["e.uuid", "e.subject"])
    .where((eb) => engine.anyOf(eb.ref("e.uuid"), ids))
    .where("r.workspace_id", "=", workspaceId)
    .where("r.address_key", "=", erasedAs)
    .execute();
  const shares = new Map(
    rows.map(({ uuid, subject }): [string, Share] => [uuid, subject === erasedSubject ? "alone" : "shared"]),
  );
  return (text) => shares.get(emailOf(text) ?? "");
}

type Told = Record<string, unknown>;

/** The parts of JSON about an e-mail that hold its data. */
const partsOf = (told: Told & { data?: Told }): Told[] => [told, told.data ?? {}];

/**
 * Erases the person from JSON about an e-mail that was sent to them. Of one to them alone, its subject and data were
 * theirs, too. What the JSON tells of the person by name is removed with the name: a server's reply, and why they are
 * suppressed. The link that was followed is removed also where the recipients of a shared e-mail can't be told apart.
 */
export function eraseWords(
  text: string,
  share: Share | undefined,
  { erase, erasedAs }: { erase: (text: string) => string; erasedAs: string },
): string {
  const erased = erase(share === "alone" ? withoutWords(text) : text);
  const isNamed = erased.includes(erasedAs);
  if (!isNamed && (share === undefined || !erased.includes('"url":'))) return erased;
  const told: Told = readStoredObject(erased);
  const isTheirs = ({ recipient, email }: Told): boolean => recipient === erasedAs || email === erasedAs;
  for (const part of partsOf(told)) {
    if (isTheirs(part)) for (const name of ["reply", "reason"]) if (name in part) part[name] = "";
    if (share !== undefined || partsOf(told).some(isTheirs)) delete part["url"];
  }
  return JSON.stringify(told);
}

/** Removes the e-mail's subject and data from JSON about it. */
function withoutWords(text: string): string {
  const told: Told = readStoredObject(text);
  for (const part of partsOf(told)) {
    if (typeof part["subject"] === "string") part["subject"] = erasedSubject;
    if (typeof part["metadata"] === "object") part["metadata"] = {};
    if (Array.isArray(part["tags"])) part["tags"] = [];
    if (typeof part["reply"] === "string") part["reply"] = "";
  }
  return JSON.stringify(told);
}

/**
 * Removes from the end of a message the link that JSON beside it had and has no more. `before` and `after`: the JSON,
 * and the same without the link, each with the person's address replaced.
 */
export function eraseLink(message: string, before: string, after: string): string {
  const { url } = readStoredObject(before);
  if (typeof url !== "string" || "url" in readStoredObject(after)) return message;
  const end = `: ${url}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}

/**
 * Erases the person from the keys that a caller chose for items to them: such a key may have a prefix that an address
 * could have, too. `text` is the JSON of the items, in which their address is replaced.
 */
export function eraseItemKeys(
  text: string,
  { erase, erasedAs }: { erase: (key: string) => string; erasedAs: string },
): string {
  const items = readStoredList<Told | null>(text);
  const isTheirs = (item: Told | null): item is { key: string } =>
    item?.["to"] === erasedAs && typeof item["key"] === "string";
  if (!items.some(isTheirs)) return text;
  return JSON.stringify(items.map((item) => (isTheirs(item) ? { ...item, key: erase(item.key) } : item)));
}
