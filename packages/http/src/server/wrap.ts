import type { Page } from "@posthorn/core";
import type { Route } from "../contract/route.ts";

/** A response in its envelope (decisions §1). */
export interface Wrapped {
  success?: true;
  data: unknown;
  pagination?: { page: number; size: number; total: number; total_pages: number; after?: string | null };
}

/** Converts a use case's result to its wire form. */
export function wrap({ envelope, reply }: Route, outcome: unknown): Wrapped {
  const from = reply.from as (value: unknown) => unknown;
  if (envelope !== "page")
    return envelope === "data" ? { data: from(outcome) } : { success: true, data: from(outcome) };
  const { items, total, page, size, ...more } = outcome as Omit<Page<unknown>, "after">;
  // A host's own list may have no cursor.
  const after = "after" in more ? { after: (more as Page<unknown>).after ?? null } : {};
  const pagination = { page, size, total, total_pages: Math.ceil(total / size), ...after };
  return { success: true, data: items.map((item) => from(item)), pagination };
}
