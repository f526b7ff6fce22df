import { snakeCase } from "../rules/snake-case.ts";

/** One changed field of an event's metadata. */
export interface FieldChange {
  from: unknown;
  to: unknown;
}

/**
 * Returns what an update actually changes, with field names in snake_case: `{field: {from, to}}`; empty if nothing
 * changes.
 */
export function changesOf<T extends object>(before: T, changes: Partial<T>): Record<string, FieldChange> {
  const found: Record<string, FieldChange> = {};
  for (const [key, to] of Object.entries(changes)) {
    const from: unknown = before[key as keyof T];
    if (to !== undefined && to !== from) found[snakeCase(key)] = { from, to };
  }
  return found;
}
