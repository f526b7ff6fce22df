import type { Paging } from "../program/add-verb.ts";
import type { CommandContext } from "../program/command-context.ts";
import type { Column } from "./table.ts";

interface AnsweredPage<T> {
  data: readonly T[];
  pagination: { page: number; size: number; total: number };
}

interface Listed<T> {
  columns: readonly Column<T>[];
  paging: Paging;
  /** What the first page is counted as. */
  first: 0 | 1;
}

/** Shows one page of a list and tells how much more there is, or all of them with `--all`. */
export async function listPages<T>(
  { output, signal }: Pick<CommandContext, "output" | "signal">,
  ask: (page: number, size: number) => Promise<AnsweredPage<T>>,
  { columns, paging, first }: Listed<T>,
): Promise<void> {
  if (paging.all === true) return await output.pages(allPages(ask, first, signal), columns, signal);
  const { data, pagination } = await ask(paging.page, paging.size);
  output.list(data, columns);
  const shown = (pagination.page - first) * pagination.size + data.length;
  if (shown < pagination.total && data.length > 0)
    output.note(
      `${pagination.total - shown} more of ${pagination.total}: --page ${pagination.page + 1}, or --all`,
    );
}

const largestPage = 100;

/**
 * Every page, the largest there are. Newest come first, so what is added meanwhile pushes rows on to the next page: those that were
 * seen already are left out, by their ids.
 */
async function* allPages<T>(
  ask: (page: number, size: number) => Promise<AnsweredPage<T>>,
  first: number,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  let former = new Set<unknown>();
  for (let page = first; !signal.aborted; page += 1) {
    const { data, pagination } = await ask(page, largestPage);
    yield data.filter((row) => !former.has(idOf(row)));
    former = new Set([...former, ...data.map(idOf)].slice(-10 * largestPage));
    former.delete(undefined);
    if (data.length === 0 || (page - first + 1) * largestPage >= pagination.total) return;
  }
}

function idOf(row: unknown): unknown {
  return typeof row === "object" && row !== null && "id" in row ? row.id : undefined;
}
