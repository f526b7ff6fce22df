import { createLoader } from "../mail/submission/loader.ts";
import type { Logger } from "../ports/logger.ts";
import type { Content, NewContent } from "../ports/storage/templates.ts";
import type { Repositories } from "../ports/storage.ts";
import type { InlineOwner, InlineRefusal, Inlining } from "./inlining.ts";
import { compileContent } from "./rendering/compile-content.ts";
import { createRenderBudget, type RenderBudget } from "./rendering/render-budget.ts";
import { TemplateSyntaxError } from "./rendering/template-errors.ts";
import type { TextParts } from "./rendering/text-parts.ts";

/** A rendered composition. */
export interface Rendered {
  /** The rendered subject. */
  subject: string;
  /** The rendered html part; empty if there is none. */
  html: string;
  /** The rendered text part; empty if there is none. */
  text: string;
  /** Names of placeholders without a value. */
  missing: string[];
  /** Names of placeholders without a value in html and text only. */
  missingInBody: string[];
}

/** A body for the mailer; `undefined` for a part that the content lacks. */
export interface RenderedBody {
  html: TextParts | undefined;
  text: TextParts | undefined;
  /** Names of placeholders without a value. */
  missing: readonly string[];
  /** UTF-16 units of both parts together, or somewhat more. */
  size: number;
}

/** A content ready to render. Each method throws `TemplateLimitError`. */
export interface Composition {
  /** Why it is not finished yet: its styles are not inlined, or it has no text part. */
  provisional?: InlineRefusal;
  hasHtml: boolean;
  /** Renders everything, for previews. */
  render(data: unknown): Rendered;
  /**
   * Checks what accepting needs without writing the body. It counts towards the mail's rendering budget if other parts
   * were rendered before.
   */
  examine(data: unknown, budget?: RenderBudget): Omit<Rendered, "html" | "text">;
  /** Renders what delivery needs. */
  renderBody(data: unknown): RenderedBody;
}

/** A stored content or stylesheet set: its key, and the digest that identifies what was derived from it. */
export interface StoredText {
  id: number;
  hash: string;
}

/** Contents ready to render: each is parsed, inlined and given its text part once per content and stylesheet set. */
export interface ContentCache {
  /** The content as written: for its subject and missing values. */
  draft(content: StoredText): Composition | Promise<Composition | undefined>;
  /** The content as sent: styles inlined, with a text part. `owner` is the workspace it is finished for. */
  finished(
    content: StoredText,
    stylesheetSet: StoredText | undefined,
    owner: InlineOwner,
  ): Composition | Promise<Composition | undefined>;
  /** The content of e-mails that are sent as written. It is not kept, but read with others that are asked for meanwhile. */
  literal(id: number): Promise<Content | undefined>;
}

/** Maximum contents of one read: each may have 4 MiB, and hundreds at once would end by PostgreSQL's time-out. */
const literalsAtMost = 25;
/** Maximum UTF-16 units of content in the cache. */
const capacity = 16 * 1024 * 1024;

/** Creates a cache of contents on a storage. Contents never change, so no entry goes stale. */
export function createContentCache(
  storage: Pick<Repositories, "contents">,
  inlining: Inlining,
  logger: Logger,
): ContentCache {
  const keep = createKeeper();
  return {
    draft: ({ id, hash }) =>
      keep(hash, async () => {
        const content = await storage.contents.find(id);
        return content && { composition: composeContent(content), cost: costOf(content) };
      }),
    finished: ({ id, hash }, stylesheetSet, owner) =>
      keep(`${hash}:${stylesheetSet?.hash ?? ""}`, async () => {
        const content = await storage.contents.find(id);
        if (content === undefined) return undefined;
        const css =
          stylesheetSet === undefined
            ? ""
            : ((await storage.contents.findStylesheetSet(stylesheetSet.id))?.css ?? "");
        const { finished, provisional } = await finishContent(content, css, { inlining, logger, owner });
        const composition = composeFinished(content, finished, logger);
        return {
          composition: provisional === undefined ? composition : { ...composition, provisional },
          cost: encodedShare * costOf(finished),
        };
      }),
    literal: createLoader(
      (ids) => storage.contents.findMany(ids),
      { ofKey: (id: number) => id, ofValue: ({ id }) => id },
      { atMost: literalsAtMost },
    ),
  };
}

/**
 * The content with its CSS inlined, and with a text part made from its html if it has none; and why a later attempt may
 * give another result.
 */
async function finishContent(
  content: NewContent,
  css: string,
  { inlining, logger, owner }: { inlining: Inlining; logger: Logger; owner: InlineOwner },
): Promise<{ finished: NewContent; provisional?: InlineRefusal }> {
  if (content.html === "") return { finished: content };
  const inlined = await inlining.inline({ html: content.html, css }, owner);
  const html = inlined.ok ? inlined.html : content.html;
  const made = content.text === "" ? await inlining.toText(html, owner) : undefined;
  const refusals = [inlined, made].flatMap((one) => (one === undefined || one.ok ? [] : one));
  for (const { reason, message } of refusals)
    logger.warn({ reason, fault: message }, "a content could not be finished");
  const finished = { subject: content.subject, html, text: made?.ok ? made.text : content.text };
  const provisional = refusals.find(({ retryAfterMs }) => retryAfterMs !== undefined);
  return provisional === undefined ? { finished } : { finished, provisional };
}

/**
 * A finished content ready to render. Inlining may make html exceed a template's limit, and text made from html may
 * lose the end of a section: accepted mail is sent all the same, as faithfully as possible. Throws
 * `TemplateSyntaxError` if nothing can be rendered.
 */
function composeFinished(content: NewContent, finished: NewContent, logger: Logger): Composition {
  const nearest = [
    finished,
    { ...finished, text: content.text },
    { ...content, text: finished.text },
    content,
  ];
  for (const candidate of nearest) {
    try {
      return composeContent(candidate);
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      logger.warn({ fault: error.message, field: error.field }, "a finished content is not a valid template");
    }
  }
  return composeContent(content);
}

/** A content ready to render; throws `TemplateSyntaxError`. */
function composeContent({ subject, html, text }: NewContent): Composition {
  const content = compileContent({ subject, html: html || null, text: text || null });
  return {
    hasHtml: content.html !== undefined,
    examine(data, budget = createRenderBudget()) {
      const head = content.subject?.render(data, budget);
      const html = content.html?.findMissing(data, budget);
      const missingInBody = unite(html, content.text?.findMissing(data, budget));
      return { subject: head?.output ?? "", missing: unite(head?.missing, missingInBody), missingInBody };
    },
    render(data) {
      const budget = createRenderBudget();
      const head = content.subject?.render(data, budget);
      const html = content.html?.render(data, budget);
      const text = content.text?.render(data, budget);
      const missingInBody = unite(html?.missing, text?.missing);
      return {
        subject: head?.output ?? "",
        html: html?.output ?? "",
        text: text?.output ?? "",
        missing: unite(head?.missing, missingInBody),
        missingInBody,
      };
    },
    renderBody(data) {
      const budget = createRenderBudget();
      const html = content.html?.renderParts(data, budget);
      const text = content.text?.renderParts(data, budget);
      return {
        html: html?.output,
        text: text?.output,
        missing: unite(html?.missing, text?.missing),
        size: (html?.size ?? 0) + (text?.size ?? 0),
      };
    },
  };
}

/** Joins two lists of different names. */
function unite(first: string[] = [], second: string[] = []): string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...new Set([...first, ...second])];
}

/** Factor for the size of a finished content, including the mailer's encoded literals, such as quoted-printable. */
const encodedShare = 3;

const costOf = ({ html, text }: NewContent): number => html.length + text.length + 1_000;

interface Kept {
  composition: Composition;
  cost: number;
}

/**
 * A least-recently-used cache with a capacity. It keeps nothing provisional, and creates each entry once, even for
 * concurrent callers.
 */
function createKeeper(): (
  key: string,
  make: () => Promise<Kept | undefined>,
) => Composition | Promise<Composition | undefined> {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<Kept | undefined>>();
  let total = 0;
  /** The key used last: moving it to the end again would only make work. */
  let newest: string | undefined;

  function store(key: string, one: Kept): void {
    newest = undefined;
    kept.set(key, one);
    total += one.cost;
    for (const [oldest, { cost }] of kept) {
      if (total <= capacity || oldest === key) break;
      kept.delete(oldest);
      total -= cost;
    }
  }

  async function start(key: string, make: () => Promise<Kept | undefined>): Promise<Kept | undefined> {
    try {
      const made = await make();
      if (made && made.composition.provisional === undefined) store(key, made);
      return made;
    } finally {
      making.delete(key);
    }
  }

  return (key, make) => {
    const found = kept.get(key);
    if (found) {
      if (key !== newest) {
        kept.delete(key);
        kept.set(key, found);
        newest = key;
      }
      return found.composition;
    }
    let pending = making.get(key);
    if (pending === undefined) {
      pending = start(key, make);
      making.set(key, pending);
    }
    return pending.then((made) => made?.composition);
  };
}
