import { type Person, readStored } from "@posthorn/core/storage";
import { replacerOf } from "./mentions.ts";

/** Stands for an address of somebody else. */
const anotherAddress = "(another address)";

/** An address, also within a URL. It begins where no other could: a long text without one is read once. */
const address = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+(?:@|%40)[\p{L}\p{N}.-]*[\p{L}\p{N}]/giu;
/** Stands for the person's own address while others' are replaced. */
const own = "\uffff";

/** Properties that hold the sender's addresses. */
const senders = new Set(["from", "sender", "reply_to", "replyTo"]);

interface Hiding {
  /** Replaces the addresses of others in a text. */
  inText(text: string): string;
  /** The same in JSON, whose lists also lose the items that are about others alone. */
  inJson(text: string): string;
}

/**
 * Makes functions that remove other people from a text that is shown to a person. `isKey`: the text is a key that a
 * caller chose, in which the person's address may have any prefix.
 */
export function othersHidden(person: Person, { isKey = false } = {}): Hiding {
  const kept: string[] = [];
  const keep = replacerOf(person, {
    isKey,
    by: (found) => {
      kept.push(found);
      return own;
    },
  });
  function inText(text: string): string {
    kept.length = 0;
    const hidden = keep(text.replaceAll(own, "")).replace(address, anotherAddress);
    let at = 0;
    return hidden.replaceAll(own, () => kept[at++] ?? "");
  }
  const isTheirs = (text: string): boolean => keep(text) !== text;
  const inList = (items: readonly unknown[]): unknown[] =>
    items.filter((item) => !isAboutOthers(item, isTheirs)).map(inValue);
  function inValue(value: unknown): unknown {
    if (typeof value === "string") return inText(value);
    if (Array.isArray(value)) return inList(value);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => [
      inText(name),
      senders.has(name) ? each : inValue(each),
    ]);
    return Object.fromEntries(entries);
  }
  function inJson(text: string): string {
    const read = readStored(text);
    return typeof read === "object" && read !== null ? JSON.stringify(inValue(read)) : inText(text);
  }
  return { inText, inJson };
}

/** Whether an item of a list, such as an e-mail of a batch or what a report led to, has recipients, all others. */
function isAboutOthers(item: unknown, isTheirs: (text: string) => boolean): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { recipient, to } = item as { recipient?: unknown; to?: unknown };
  const named = [recipient, to].flat().filter((one) => typeof one === "string");
  return named.length > 0 && !named.some(isTheirs);
}
