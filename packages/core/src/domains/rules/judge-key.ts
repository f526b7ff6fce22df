import { type KeyAlgorithm, keyType } from "./dkim-names.ts";
import { judgeTyping } from "./judge-text.ts";
import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** A key of the domain, to recognise a published key by. */
export interface KnownKey {
  selector: string;
  algorithm: KeyAlgorithm;
  publicKey: string;
  state: "standby" | "active" | "retired";
}

/**
 * Judges the TXT records at a key's name (RFC 6376 §3.6.1). `expected` is the record's value, `key` the key that it
 * belongs to.
 */
export function judgeKey(
  texts: readonly string[],
  expected: string,
  { key, others }: { key: KnownKey; others: readonly KnownKey[] },
): Verdict {
  const typing = judgeTyping(texts, expected);
  if (typing !== undefined) return typing;
  const [text = ""] = texts;
  if (texts.length > 1)
    return ambiguous(
      "several",
      `${texts.length} TXT records exist at this name, and it is undefined which one counts. Keep only the value shown.`,
    );
  const tags = readTags(text);
  const published = tags?.get("p");
  const isKey = tags !== undefined && published !== undefined && (tags.get("v") ?? "DKIM1") === "DKIM1";
  if (!isKey) return wrong("other_value", "The record is not a DKIM key. Replace it with the value shown.");
  if (published === "") return wrong("key_revoked", "An empty p= revokes the key. Use the value shown.");
  const owner = others.find(({ publicKey }) => publicKey === published);
  if (published !== key.publicKey) {
    const whose =
      owner === undefined
        ? "a key that does not belong to this domain"
        : `the ${owner.state} key ${owner.selector}`;
    return wrong("other_key", `The p= belongs to ${whose}. Use the value shown.`);
  }
  if (
    (tags.get("k") ?? "rsa") !== keyType(key.algorithm) ||
    !allows(tags.get("h"), "sha256") ||
    !allows(tags.get("s"), "email")
  )
    return wrong(
      "other_value",
      "The key is right, but its other tags are not. Use the value shown without changes.",
    );
  if (tags.get("t")?.split(":").includes("y"))
    return wrong("testing", "Remove t=y: it tells receivers to ignore the signature.");
  return fine;
}

/** Returns the tags of a record without their blanks, or `undefined` if the text is not a tag list (RFC 6376 §3.2). */
function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const equals = part.indexOf("=");
    if (equals < 1) return undefined;
    tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).replace(/\s+/g, ""));
  }
  return tags;
}

/** Whether a tag such as `h=` allows a word. A missing tag allows all. */
function allows(list: string | undefined, word: string): boolean {
  return list === undefined || list.split(":").some((one) => one === "*" || one === word);
}
