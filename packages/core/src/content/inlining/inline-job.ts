import type { InlineReason } from "../rules/inline-failure.ts";

/** A job for the worker. */
export type InlineJob =
  | { kind: "inline"; html: string; css: string }
  | { kind: "check"; css: string }
  | { kind: "text"; html: string };

/** The worker's reply. `output` is the html or text, or empty for a check. */
export type InlineReply =
  | { ok: true; output: string }
  | {
      ok: false;
      reason: InlineReason;
      message: string;
      line?: number | undefined;
      column?: number | undefined;
    };
