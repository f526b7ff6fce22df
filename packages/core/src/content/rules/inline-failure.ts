/** Why inlining was refused: too slow, too large, nested too deeply, or not parsable. */
export type InlineReason = "timeout" | "too_large" | "too_deep" | "failed";

/** A refusal within the worker, which is sent to the main thread as a value. */
export class InlineFailure extends Error {
  override readonly name = "InlineFailure";
  readonly reason: InlineReason;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(reason: InlineReason, message: string, line?: number, column?: number) {
    super(message);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}
