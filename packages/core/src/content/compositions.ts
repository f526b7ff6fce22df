import type { Logger } from "../ports/logger.ts";
import type { NewContent } from "../ports/storage/templates.ts";
import type { Repositories } from "../ports/storage.ts";
import type { InlineOwner, InlineRefusal, Inlining } from "./inlining.ts";
import { compileContent } from "./rendering/compile-content.ts";
import { createRenderBudget, type RenderBudget } from "./rendering/render-budget.ts";
import { TemplateSyntaxError } from "./rendering/template-errors.ts";
import { joinParts, type TextParts } from "./rendering/text-parts.ts";

/** What a composition renders to. */
export interface Rendered {
  /** The subject with its values. */
  subject: string;
  /** The html part with its values; empty where it has none. */
  html: string;
  /** The text part with its values; empty where it has none. */
  text: string;
  /** Names of placeholders without a value. */
  missing: string[];
  /** The same, of html and text alone. */
  missingInBody: string[];
}

/** A body as the mailer takes it; `undefined` where the content has none of the kind. */
export interface RenderedBody {
  html: TextParts | undefined;
  text: TextParts | undefined;
  /** Names of placeholders without a value. */
  missing: readonly string[];
}

/** A content ready to render. Each throws `TemplateLimitError`. */
export interface Composition {
  /** Why it is not finished, though it may be later: its html has no styles inlined, or it has no text part. */
  provisional?: InlineRefusal;
  hasHtml: boolean;
  /** All of it, to be looked at. */
  render(data: unknown): Rendered;
  /** What accepting needs, on the mail's budget where something else of it was rendered before: the body is gone through, not written. */
  examine(data: unknown, budget?: RenderBudget): Omit<Rendered, "html" | "text">;
  /** What delivering needs. */
  renderBody(data: unknown): RenderedBody;
}

/** A content or stylesheet set that is kept: where to find it, and the digest by which what was made of it is known. */
export interface StoredText {
  id: number;
  hash: string;
}

/** Contents ready to render: parsed, inlined and given their text part once per content and stylesheet set. */
export interface Compositions {
  /** As written: tells the subject and what is missing. */
  draft(content: StoredText): Promise<Composition | undefined>;
  /** As it is sent: stylesheets inlined, with a text part. `owner` is the workspace it is finished for. */
  finished(
    content: StoredText,
    stylesheetSet: StoredText | undefined,
    owner: InlineOwner,
  ): Promise<Composition | undefined>;
}

/** UTF-16 units of content kept ready at the most. */
const capacity = 16 * 1024 * 1024;

/** Kept contents on a storage. Contents never change, so nothing kept is ever stale. */
export function createCompositions(
  storage: Pick<Repositories, "contents">,
  inlining: Inlining,
  logger: Logger,
): Compositions {
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
  };
}

/** The content with the css inlined and with a text part made from its html where it has none; and why that may yet come out otherwise. */
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
 * A finished content ready to render. Inlining may make html longer than a template may be, and text made from html may lack one end
 * of a section: what was accepted goes all the same, as near to it as it can. Throws `TemplateSyntaxError` where nothing can be rendered.
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
      logger.warn({ fault: error.message, field: error.field }, "a finished content is no template");
    }
  }
  return composeContent(content);
}

/** A content ready to render; throws `TemplateSyntaxError`. */
function composeContent({ subject, html, text }: NewContent): Composition {
  const content = compileContent({ subject, html: html || null, text: text || null });
  const renderParts = (data: unknown, budget = createRenderBudget()) => {
    const head = content.subject?.render(data, budget);
    const body = {
      html: content.html?.renderParts(data, budget),
      text: content.text?.renderParts(data, budget),
    };
    const missingInBody = [...new Set([...(body.html?.missing ?? []), ...(body.text?.missing ?? [])])];
    const missing = [...new Set([...(head?.missing ?? []), ...missingInBody])];
    return { body, examined: { subject: head?.output ?? "", missing, missingInBody } };
  };
  return {
    hasHtml: content.html !== undefined,
    examine: (data, budget) => renderParts(data, budget).examined,
    render(data) {
      const { body, examined } = renderParts(data);
      const textOf = (part: typeof body.html) => (part === undefined ? "" : joinParts(part.output));
      return { ...examined, html: textOf(body.html), text: textOf(body.text) };
    },
    renderBody(data) {
      const budget = createRenderBudget();
      const html = content.html?.renderParts(data, budget);
      const text = content.text?.renderParts(data, budget);
      const isWhole = (html?.missing.length ?? 0) + (text?.missing.length ?? 0) === 0;
      const missing = isWhole ? [] : [...new Set([...(html?.missing ?? []), ...(text?.missing ?? [])])];
      return { html: html?.output, text: text?.output, missing };
    },
  };
}

/** What a finished content weighs with what a mailer keeps of its literals, such as their quoted-printable form. */
const encodedShare = 3;

const costOf = ({ html, text }: NewContent): number => html.length + text.length + 1_000;

interface Kept {
  composition: Composition;
  cost: number;
}

/**
 * A cache of what was used last, within the capacity: keeps nothing provisional, and makes each key once, also where many ask at the same
 * time.
 */
function createKeeper(): (
  key: string,
  make: () => Promise<Kept | undefined>,
) => Promise<Composition | undefined> {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<Kept | undefined>>();
  let total = 0;

  function store(key: string, one: Kept): void {
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

  return async (key, make) => {
    const found = kept.get(key);
    if (found) {
      kept.delete(key);
      kept.set(key, found);
      return found.composition;
    }
    let pending = making.get(key);
    if (pending === undefined) {
      pending = start(key, make);
      making.set(key, pending);
    }
    return (await pending)?.composition;
  };
}
