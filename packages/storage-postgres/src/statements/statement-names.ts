import { createHash } from "node:crypto";

/** Uses after which a text gets a name; most texts with combined filters are too rare. */
const namedFrom = 3;
/** A server process keeps every named statement as long as the connection lives. */
const namesAtMost = 300;
const countedAtMost = 2_000;

/** The name under which a connection prepares a statement once; `undefined` for one that is parsed each time. */
export type NameStatement = (text: string) => string | undefined;

/** Names the most frequent texts, the same on all connections. */
export const createStatementNames = (): NameStatement => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= namesAtMost) return known;
    const count = (counts.get(text) ?? 0) + 1;
    if (count < namedFrom) {
      if (counts.size >= countedAtMost) counts.clear();
      counts.set(text, count);
      return undefined;
    }
    counts.delete(text);
    const name = `posthorn_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
    names.set(text, name);
    return name;
  };
};
