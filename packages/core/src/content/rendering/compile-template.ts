import { escapeHtml, longestEntity } from "./escape-html.ts";
import {
  escapedKind,
  invertedKind,
  parseTemplate,
  rawKind,
  type TemplateBody,
  type TemplateNode,
} from "./parse-template.ts";
import { createRenderBudget, type RenderBudget, spendSteps, spendText } from "./render-budget.ts";
import { syntaxErrorAt } from "./scan-tags.ts";
import { TemplateLimitError } from "./template-errors.ts";
import { maxTemplateLoopTurns, maxTemplateOutputBytes } from "./template-limits.ts";
import { joinParts, type TextParts } from "./text-parts.ts";

/** How a template's output is escaped. */
export type TemplateOptions = {
  /** "html" escapes what `{{name}}` prints; "none" prints it unchanged. */
  escape: "html" | "none";
  /** For subjects: the source must be one line, and each run of control characters in values becomes one space. */
  singleLine?: boolean;
  /** Converts what `{{{name}}}` prints. Default: printed as it is. */
  convertRaw?: ((value: string) => string) | undefined;
  /** Maximum bytes of the source. Default 512 KiB. */
  maxBytes?: number | undefined;
};

/** Result of rendering. */
export type RenderedTemplate = {
  output: string;
  /** Dotted names printed without a value, because it is absent, null, or an object or list; each once, in order. */
  missing: string[];
};

/** Result of rendering whose parts are not yet joined. */
export type RenderedParts = {
  output: TextParts;
  missing: string[];
  /** UTF-16 units of the output, or somewhat more. */
  size: number;
};

/** A template ready to render any number of times. */
export type CompiledTemplate = {
  /** Number of its tags. */
  readonly tags: number;
  /**
   * Renders plain JSON, within the mail's budget if one is given. Throws `TemplateLimitError` past a limit (decisions
   * §5).
   */
  render(data: unknown, budget?: RenderBudget): RenderedTemplate;
  /** Renders as `render` does, with literals and values kept apart. Throws `TemplateLimitError` as `render` does. */
  renderParts(data: unknown, budget?: RenderBudget): RenderedParts;
  /**
   * Returns the names that rendering would print without a value, within the same limits, but writes nothing. Throws
   * `TemplateLimitError` as `render` does.
   */
  findMissing(data: unknown, budget?: RenderBudget): string[];
};

type Scope = { readonly value: unknown; readonly parent: Scope | null };
type Print = (text: string) => string;
type Run = {
  readonly print: Print;
  readonly raw: Print;
  readonly literals: readonly string[];
  /** The output; null if only names without a value are looked for. */
  readonly parts: (number | string)[] | null;
  size: number;
  turns: number;
  readonly budget: RenderBudget;
  missing: Set<string> | null;
};

/**
 * Compiles a Mustache template once (decisions §5): interpolation, sections, inverted sections, comments and
 * delimiters; no partials, no lambdas. It reads own properties of plain JSON only and calls nothing it finds there.
 * Throws `TemplateSyntaxError` with line and column.
 */
export function compileTemplate(source: string, options: TemplateOptions): CompiledTemplate {
  const singleLine = options.singleLine === true;
  if (singleLine) assertOneLine(source);
  const { root, literals, tags } = parseTemplate(source, options.maxBytes);
  const raw = singleLine ? onOneLine : (options.convertRaw ?? asItIs);
  const plain = singleLine ? onOneLine : asItIs;
  const print =
    options.escape === "none"
      ? plain
      : singleLine
        ? (text: string) => escapeHtml(onOneLine(text))
        : escapeHtml;
  const renderParts = (data: unknown, budget = createRenderBudget()): RenderedParts => {
    const parts: (number | string)[] = [];
    const run: Run = { print, raw, literals, parts, size: 0, turns: 0, budget, missing: null };
    renderBody(root, { value: data, parent: null }, run);
    const output = { literals, parts };
    assertOutputBytes(output, run.size);
    return { output, missing: run.missing === null ? [] : [...run.missing], size: run.size };
  };
  return {
    tags,
    renderParts,
    findMissing(data, budget = createRenderBudget()) {
      const spent = { ...budget };
      const run: Run = {
        print: asItIs,
        raw,
        literals,
        parts: null,
        size: 0,
        turns: 0,
        budget: spent,
        missing: null,
      };
      renderBody(root, { value: data, parent: null }, run);
      // Only a long output has to be written to know whether it is too long.
      if (run.size * longestEntity * 3 > maxTemplateOutputBytes) return renderParts(data, budget).missing;
      Object.assign(budget, spent);
      return run.missing === null ? [] : [...run.missing];
    },
    render(data, budget) {
      const { output, missing } = renderParts(data, budget);
      return { output: joinParts(output), missing };
    },
  };
}

function renderBody(body: TemplateBody, scope: Scope, run: Run): void {
  spendSteps(run.budget, body.work);
  const nodes = body.nodes;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as TemplateNode;
    put(run, node.before);
    const value = node.rest === null ? lookUp(scope, node.first) : lookUpPath(scope, node.first, node.rest);
    if (node.kind <= rawKind) {
      const text = textOf(value);
      if (text === undefined) {
        run.missing ??= new Set();
        run.missing.add(node.name);
      } else {
        spendText(run.budget, text.length);
        const printed = node.kind === escapedKind ? run.print(text) : run.raw(text);
        run.parts?.push(printed);
        // The length of the input counts too, as a long value may shrink to one space in a subject.
        grow(run, printed.length > text.length ? printed.length : text.length);
      }
    } else if (node.body !== null) {
      renderSection(node, node.body, value, scope, run);
    }
  }
  put(run, body.tail);
}

function put(run: Run, literal: number): void {
  if (literal === 0) return;
  run.parts?.push(literal);
  grow(run, (run.literals[literal] as string).length);
}

function renderSection(node: TemplateNode, body: TemplateBody, value: unknown, scope: Scope, run: Run): void {
  const list = Array.isArray(value);
  const falsy = list ? value.length === 0 : !value;
  if (node.kind === invertedKind) {
    if (falsy) renderBody(body, scope, run);
    return;
  }
  if (falsy) return;
  if (!list) {
    renderBody(body, { value, parent: scope }, run);
    return;
  }
  for (let index = 0; index < value.length; index++) {
    if (++run.turns > maxTemplateLoopTurns) {
      throw new TemplateLimitError(
        "loop_turns",
        `More than ${maxTemplateLoopTurns} list items were rendered.`,
      );
    }
    renderBody(body, { value: value[index], parent: scope }, run);
  }
}

function lookUp(scope: Scope, name: string): unknown {
  if (name === ".") return scope.value;
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const value = at.value;
    if (typeof value === "object" && value !== null && Object.hasOwn(value, name)) {
      return (value as Record<string, unknown>)[name];
    }
  }
  return undefined;
}

function lookUpPath(scope: Scope, first: string, rest: readonly string[]): unknown {
  let value = lookUp(scope, first);
  for (let index = 0; index < rest.length; index++) {
    const name = rest[index] as string;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Returns the text of a JSON scalar, else `undefined`. Calls no method of the value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return undefined;
}

function grow(run: Run, length: number): void {
  run.size += length;
  if (run.size > maxTemplateOutputBytes) throw outputLimit();
}

/** Refuses output that is too long. `size` is at least its number of UTF-16 units. */
function assertOutputBytes(output: TextParts, size: number): void {
  // A UTF-16 unit takes at most three bytes in UTF-8, so that short outputs need no counting.
  if (size * 3 <= maxTemplateOutputBytes) return;
  if (Buffer.byteLength(joinParts(output)) > maxTemplateOutputBytes) throw outputLimit();
}

function outputLimit(): TemplateLimitError {
  return new TemplateLimitError(
    "output",
    `The output is longer than ${maxTemplateOutputBytes / 1024 / 1024} MiB.`,
  );
}

function asItIs(text: string): string {
  return text;
}

/** Replaces each run of control characters and Unicode line or paragraph separators by one space. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

function assertOneLine(source: string): void {
  const fault = source.search(/[^\P{Cc}\t]|[\u2028\u2029]/u);
  if (fault !== -1)
    throw syntaxErrorAt(source, fault, "A subject can't contain a line break or control character");
}
