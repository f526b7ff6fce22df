/** Why inlining was refused: took too long, is too big, nests too deep, or can't be read. */
export type InlineReason = "timeout" | "too_large" | "too_deep" | "failed";

/** A refusal raised inside the worker; it leaves the worker as a value. */
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
