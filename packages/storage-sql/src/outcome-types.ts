import type { ValueType } from "./engine.ts";

/** The columns of `email_outcomes`, for rows that are written in bulk. */
export const outcomeTypes = {
  email_id: "bigint",
  workspace_id: "bigint",
  status: "text",
  settled_at: "bigint",
} as const satisfies Record<string, ValueType>;
