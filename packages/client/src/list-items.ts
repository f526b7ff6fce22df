import { pagedLists } from "./contract/index.ts";
import type { PageOf } from "./page-of.ts";

/** The most that a page holds. */
const size = 100;

/**
 * Every item of a list, whether it has pages or is answered whole. What was there at the beginning comes once, whatever comes in
 * meanwhile, and each page costs the same, however deep it is.
 */
export async function* listItems(
  ask: (page: { after?: string; size?: number }) => Promise<unknown>,
  signature: string,
): AsyncGenerator<unknown, void, undefined> {
  if (!pagedLists.includes(signature)) return yield* (await ask({})) as unknown[];
  for (let after: string | null | undefined; after !== null; ) {
    const { data, pagination } = (await ask({ ...(after && { after }), size })) as PageOf<unknown>;
    yield* data;
    after = pagination.after ?? null;
  }
}
