import type { Page } from "@posthorn/core";
import type { Route } from "../../contract/route.ts";

/** A result on the wire: its status, its own header fields, and its envelope (decisions §1). */
export interface Wrapped {
  status: number;
  headers: Record<string, string>;
  body: Envelope;
}

interface Envelope {
  success?: true;
  data: unknown;
  pagination?: { page: number; size: number; total: number; total_pages: number; after?: string | null };
}

/** Converts a use case's result to its wire form. */
export function wrap(route: Route, outcome: unknown): Wrapped {
  const { idempotent, otherwise } = route;
  const isOther = (otherwise?.when as ((outcome: unknown) => boolean) | undefined)?.(outcome) === true;
  const second = isOther ? otherwise : undefined;
  const isReplayed = idempotent && Object(outcome).replayed === true;
  return {
    status: second?.status ?? route.status,
    headers: { ...second?.headers, ...(isReplayed ? { "idempotent-replayed": "true" } : {}) },
    body: envelopeOf(route, outcome),
  };
}

function envelopeOf({ envelope, reply }: Route, outcome: unknown): Envelope {
  const from = reply.from as (value: unknown) => unknown;
  if (envelope !== "page")
    return envelope === "data" ? { data: from(outcome) } : { success: true, data: from(outcome) };
  const { items, total, page, size, ...more } = outcome as Omit<Page<unknown>, "after">;
  // A host's own list may have no cursor.
  const after = "after" in more ? { after: (more as Page<unknown>).after ?? null } : {};
  const pagination = { page, size, total, total_pages: Math.ceil(total / size), ...after };
  return { success: true, data: items.map((item) => from(item)), pagination };
}
