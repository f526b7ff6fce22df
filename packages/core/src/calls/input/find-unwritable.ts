import { maxJsonDepth } from "../../rules/json.ts";

/** What a value holds that JSON can't have, with the names that lead there. */
export interface Unwritable {
  path: string[];
  words: string;
}

/** Values looked at: a list that is shared on many levels would be walked as often as there are ways to it. */
const mostLooks = 10_000;

/** Finds why `JSON.stringify` threw: the first big integer or cycle; `undefined` if it is neither, or far away. */
export const findUnwritable = (value: unknown): Unwritable | undefined => {
  let looks = 0;
  const find = (item: unknown, path: string[], above: readonly unknown[]): Unwritable | undefined => {
    looks += 1;
    if (typeof item === "bigint")
      return { path, words: "is a big integer, which JSON does not have: give a number or a text" };
    if (typeof item !== "object" || item === null) return undefined;
    if (above.includes(item)) return { path, words: "contains itself" };
    if (above.length > maxJsonDepth) return undefined;
    for (const [name, inner] of Object.entries(item)) {
      const found = looks < mostLooks ? find(inner, [...path, name], [...above, item]) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(value, [], []);
};
