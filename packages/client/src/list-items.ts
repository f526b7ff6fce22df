import { pagedLists } from "./contract/index.ts";
import type { PageOf } from "./page-of.ts";

/**
 * Iterates over all items of a list, whether it has pages or is complete in one response. Items that existed at the
 * beginning are returned once, even if others are added meanwhile, and each page has the same cost. The default
 * `size` of a page is the maximum.
 */
export async function* listItems(
  ask: (page: { after?: string; size?: number }) => Promise<unknown>,
  signature: string,
  size = 100,
): AsyncGenerator<unknown, void, undefined> {
  if (!pagedLists.includes(signature)) {
    const items = await ask({});
    if (!Array.isArray(items)) throw new TypeError(`${signature} answers no list`);
    return yield* items;
  }
  for (let after: string | null | undefined; after !== null; ) {
    const { data, pagination } = (await ask({ ...(after && { after }), size })) as PageOf<unknown>;
    yield* data;
    after = pagination.after ?? null;
  }
}
