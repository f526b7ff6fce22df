/** A syntax error in a template, with its position and the remedy, found when the template is saved (decisions §5). */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
  /** Line of the fault, counted from 1. */
  readonly line: number;
  /** Column of the fault in UTF-16 units, counted from 1. */
  readonly column: number;
  /** The part of the content with the fault; absent if a single template was compiled. */
  readonly field: TemplateField | undefined;

  constructor(message: string, line: number, column: number, field?: TemplateField) {
    super(message);
    this.line = line;
    this.column = column;
    this.field = field;
  }
}

/** The three templates of a version. */
export type TemplateField = "subject" | "html" | "text";

/** The limit that rendering reached: list items, output, steps, or time, which may suffice at another attempt. */
export type TemplateLimit = "loop_turns" | "output" | "work" | "time";

/** Rendering exceeded a limit (decisions §5). */
export class TemplateLimitError extends Error {
  override readonly name = "TemplateLimitError";
  readonly limit: TemplateLimit;

  constructor(limit: TemplateLimit, message: string) {
    super(message);
    this.limit = limit;
  }
}
