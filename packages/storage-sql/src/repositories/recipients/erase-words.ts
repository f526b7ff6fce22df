import type { ErasedPerson } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { erasedSubject } from "./erase-emails.ts";

/** Finds the id of the e-mail that a text is about, by its field: `email_id` in webhook payloads, `id` in answers. */
const emailOf = (text: string): string | undefined => /"(?:email_)?id":"([0-9a-f-]{36})"/.exec(text)?.[1];

/**
 * Makes a test for texts whose e-mail was sent only to the erased person, so that its subject and data were theirs,
 * too.
 */
export async function findOwnTexts(
  db: Handle,
  engine: Engine,
  { workspaceId, erasedAs }: ErasedPerson,
  texts: readonly string[],
): Promise<(text: string) => boolean> {
  const ids = [...new Set(texts.flatMap((text) => emailOf(text) ?? []))];
  if (ids.length === 0) return () => false;
  const rows = await db
    .selectFrom("emails as e")
    .innerJoin("email_recipients as r", "r.email_id", "e.id")
    .select("e.uuid")
    .where((eb) => engine.anyOf(eb.ref("e.uuid"), ids))
    .where("e.subject", "=", erasedSubject)
    .where("r.workspace_id", "=", workspaceId)
    .where("r.address_key", "=", erasedAs)
    .execute();
  const theirs = new Set(rows.map(({ uuid }) => uuid));
  return (text) => theirs.has(emailOf(text) ?? "");
}

/** Removes the e-mail's subject and data, and the link that was followed, from JSON about it. */
export function withoutWords(text: string): string {
  const told = JSON.parse(text) as { data?: Record<string, unknown> } & Record<string, unknown>;
  for (const part of [told, told.data ?? {}]) {
    if (typeof part["subject"] === "string") part["subject"] = erasedSubject;
    if (typeof part["metadata"] === "object") part["metadata"] = {};
    if (Array.isArray(part["tags"])) part["tags"] = [];
    if (typeof part["reply"] === "string") part["reply"] = "";
    delete part["url"];
  }
  return JSON.stringify(told);
}
