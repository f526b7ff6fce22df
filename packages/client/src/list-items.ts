import { firstPages } from "./contract/index.ts";
import type { PageOf } from "./page-of.ts";

/** The most that a page holds. */
const size = 100;

/** Every item of a list, whether it has pages or is answered whole. What is added meanwhile is left out, and nothing comes twice. */
export async function* listItems(
  ask: (page: { page?: number; size?: number }) => Promise<unknown>,
  signature: string,
): AsyncGenerator<unknown, void, undefined> {
  const first = firstPages[signature];
  if (first === undefined) return yield* (await ask({})) as unknown[];
  const former = new Set<unknown>();
  for (let page = first; ; page += 1) {
    const answer = (await ask({ page, size })) as PageOf<unknown>;
    for (const item of answer.data) {
      // New ones come first and push others on to the next page.
      const id = idOf(item);
      if (id !== undefined && former.has(id)) continue;
      yield item;
      if (id !== undefined) former.add(id);
    }
    if (answer.data.length === 0 || page - first + 1 >= answer.pagination.total_pages) return;
  }
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}
