import { type KeyAlgorithm, keyType } from "./dkim-names.ts";
import { judgeTyping } from "./judge-text.ts";
import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** A key of the domain's, to tell whose a published one is. */
export interface KnownKey {
  selector: string;
  algorithm: KeyAlgorithm;
  publicKey: string;
  state: "standby" | "active" | "retired";
}

/** What the TXT records at a key's name come to (RFC 6376 §3.6.1). `expected`: the record's value; `key`: whose it is. */
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
      `${texts.length} TXT records stand at this name, and which one counts is undefined. Leave only the value shown.`,
    );
  const tags = readTags(text);
  const published = tags?.get("p");
  const isKey = tags !== undefined && published !== undefined && (tags.get("v") ?? "DKIM1") === "DKIM1";
  if (!isKey) return wrong("other_value", "What stands there is no DKIM key. Replace it by the value shown.");
  if (published === "") return wrong("key_revoked", "An empty p= revokes the key. Put in the value shown.");
  const owner = others.find(({ publicKey }) => publicKey === published);
  if (published !== key.publicKey) {
    const whose =
      owner === undefined
        ? "a key that is none of this domain's"
        : `the ${owner.state} key ${owner.selector}`;
    return wrong("other_key", `The p= is of ${whose}. Put in the value shown.`);
  }
  if (
    (tags.get("k") ?? "rsa") !== keyType(key.algorithm) ||
    !allows(tags.get("h"), "sha256") ||
    !allows(tags.get("s"), "email")
  )
    return wrong("other_value", "The key is right, its other tags are not. Put in the value shown as it is.");
  if (tags.get("t")?.split(":").includes("y"))
    return wrong("testing", "Take t=y out: it tells receivers to ignore the signature.");
  return fine;
}

/** The tags of a record with their blanks taken out; `undefined` for what is no list of tags (RFC 6376 §3.2). */
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

/** Whether a list of tags such as `h=` lets a word pass; one that is not there lets all pass. */
function allows(list: string | undefined, word: string): boolean {
  return list === undefined || list.split(":").some((one) => one === "*" || one === word);
}
