import type { Failure } from "./exit-codes.ts";

/** An error to report: what happened and why, and what to try next. */
export class CliError extends Error {
  override name = "CliError";
  readonly failure: Failure;
  readonly hint: string | undefined;
  readonly code: string;
  /** Details of the error for programs, as in the API's responses. */
  readonly details: unknown;
  constructor(
    failure: Failure,
    message: string,
    hint?: string,
    options?: ErrorOptions & { code?: string; details?: unknown },
  ) {
    super(message, options);
    this.failure = failure;
    this.hint = hint;
    this.code = options?.code ?? failure;
    this.details = options?.details;
  }
}
