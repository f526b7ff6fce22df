import type { Route } from "../contract/route.ts";

/** What a route answers, within its envelope (decisions §1). */
export interface Wrapped {
  success?: true;
  data: unknown;
  pagination?: { page: number; size: number; total: number; total_pages: number };
}

/** A use case's outcome as it looks on the wire. */
export function wrap({ envelope, reply }: Route, outcome: unknown): Wrapped {
  const from = reply.from as (value: unknown) => unknown;
  if (envelope !== "page")
    return envelope === "data" ? { data: from(outcome) } : { success: true, data: from(outcome) };
  const { items, total, page, size } = outcome as {
    items: unknown[];
    total: number;
    page: number;
    size: number;
  };
  const pagination = { page, size, total, total_pages: Math.ceil(total / size) };
  return { success: true, data: items.map((item) => from(item)), pagination };
}
