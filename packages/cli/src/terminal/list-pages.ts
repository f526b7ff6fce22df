import type { RouteSignature } from "@posthorn/client";
import { type AnsweredPage, allPages, type RequestedPage } from "../program/connection/all-pages.ts";
import type { CommandContext } from "../program/connection/command-context.ts";
import { listedFields } from "../program/connection/listed-fields.ts";
import type { Paging } from "../program/verbs/add-verb.ts";
import type { Column } from "./table.ts";

interface Listed<T> {
  /** The route that answers with the list. */
  asks: RouteSignature;
  columns: readonly Column<T>[];
  paging: Paging;
  /** Number of the first page. */
  first: 0 | 1;
}

/** Shows one page of a list and how many items remain, or all pages with `--all`. */
export async function listPages<T>(
  { output, signal }: Pick<CommandContext, "output" | "signal">,
  ask: (page: RequestedPage) => Promise<AnsweredPage<T>>,
  { asks, columns, paging, first }: Listed<T>,
): Promise<void> {
  const fields = () => listedFields(asks);
  if (paging.all === true) return await output.pages(allPages(ask, signal), columns, { signal, fields });
  const { data, pagination } = await ask({ page: paging.page, size: paging.size });
  await output.answers(data, columns, fields);
  const { page, size, total } = pagination;
  const shown = (page - first) * size + data.length;
  if (shown < total && data.length > 0)
    output.note(`${total - shown} more of ${total}: --page ${page + 1}, or --all`);
  if (data.length === 0 && total > 0)
    output.note(`There are ${total}; the last page is --page ${first + Math.ceil(total / size) - 1}.`);
}
