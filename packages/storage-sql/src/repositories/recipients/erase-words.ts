import type { ErasedPerson } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { erasedSubject } from "./erase-emails.ts";

/** Text that tells of one e-mail, and by what field: webhook payloads by `email_id`, answers by `id`. */
const emailOf = (text: string): string | undefined => /"(?:email_)?id":"([0-9a-f-]{36})"/.exec(text)?.[1];

/** Of texts that tell of e-mails those whose e-mail went to the erased person alone: what it was about was theirs, too. */
export async function findTheirs(
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

/** JSON that tells of an e-mail, without what it was about. */
export function withoutWords(text: string): string {
  const told = JSON.parse(text) as { data?: Record<string, unknown> } & Record<string, unknown>;
  for (const part of [told, told.data ?? {}]) {
    if (typeof part["subject"] === "string") part["subject"] = erasedSubject;
    if (typeof part["metadata"] === "object") part["metadata"] = {};
    if (Array.isArray(part["tags"])) part["tags"] = [];
    if (typeof part["reply"] === "string") part["reply"] = "";
  }
  return JSON.stringify(told);
}
