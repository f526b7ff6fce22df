import { createLoader } from "../calls/loader.ts";
import type { Logger } from "../ports/logger.ts";
import type { Content, NewContent, Repositories } from "../ports/storage.ts";
import { composeFinished } from "./compose-finished.ts";
import { type ComposedContent, type Composition, composeContent } from "./composition.ts";
import type { InlineOwner, InlineRefusal, Inlining } from "./inlining.ts";
import { TemplateSyntaxError } from "./rendering/template-errors.ts";
import { maxHtmlBytes } from "./rules/inliner-limits.ts";
import { createTextOfHtml } from "./text-of-html.ts";
import { trackComposition } from "./track-composition.ts";

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
  /** The content as sent, with its links found, so that they can be rewritten. */
  tracked(
    content: StoredText,
    stylesheetSet: StoredText | undefined,
    owner: InlineOwner,
  ): Composition | Promise<Composition | undefined>;
  /** The content of e-mails that are sent as written. It is not kept, but read with others that are asked for meanwhile. */
  literal(id: number): Promise<Content | undefined>;
}

/** Maximum contents of one read: each may have 4 MiB, and hundreds at once would end by PostgreSQL's time-out. */
const literalsAtMost = 25;
/** Maximum bytes of contents in the cache, as `costOf` estimates them. */
const capacity = 32 * 1024 * 1024;

/** Creates a cache of contents on a storage. Contents never change, so no entry goes stale. */
export function createContentCache(
  storage: Pick<Repositories, "contents">,
  inlining: Inlining,
  logger: Logger,
): ContentCache {
  const keep = createKeeper();
  const finished: ContentCache["finished"] = ({ id, hash }, stylesheetSet, owner) =>
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
        cost: encodedShare * costOf(composition),
      };
    });
  return {
    draft: ({ id, hash }) =>
      keep(hash, async () => {
        const content = await storage.contents.find(id);
        if (content === undefined) return undefined;
        const composition = composeContent(content);
        return { composition, cost: costOf(composition) };
      }),
    finished,
    tracked: (content, stylesheetSet, owner) =>
      keep(`${content.hash}:${stylesheetSet?.hash ?? ""}:tracked`, async () => {
        const untracked = await finished(content, stylesheetSet, owner);
        if (untracked === undefined) return undefined;
        const composition = await trackUnlessTooLong(untracked, logger);
        return { composition, cost: encodedShare * costOf(composition) };
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
): Promise<{ finished: ComposedContent; provisional?: InlineRefusal }> {
  if (content.html === "") return { finished: content };
  const inlined = await inlining.inline({ html: content.html, css }, owner);
  const html = inlined.ok ? inlined.html : content.html;
  // Of the inlined html, which tells what the styles hide; if that is too long, of the html as it is written.
  const readable = Buffer.byteLength(html) > maxHtmlBytes ? content.html : html;
  const made = content.text === "" ? await inlining.toText(readable, owner) : undefined;
  const refusals = [inlined, made].flatMap((one) => (one === undefined || one.ok ? [] : one));
  for (const { reason, message } of refusals)
    logger.warn({ reason, fault: message }, "a content could not be finished");
  const finished: ComposedContent = { subject: content.subject, html, text: content.text };
  if (made?.ok) Object.assign(finished, { text: made.text, textOfHtml: await loadTextOfHtml() });
  const provisional = refusals.find(({ retryAfterMs }) => retryAfterMs !== undefined);
  return provisional === undefined ? { finished } : { finished, provisional };
}

async function loadTextOfHtml(): Promise<(html: string) => string> {
  const { Parser: createParser } = await import("htmlparser2");
  return createTextOfHtml(createParser);
}

/** Finds the links of a finished content. Accepted mail is sent all the same if the marks make it too long. */
async function trackUnlessTooLong(finished: Composition, logger: Logger): Promise<Composition> {
  try {
    return await trackComposition(finished, composeContent);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    logger.warn({ fault: error.message }, "a content is too long for its links to be tracked");
    return finished;
  }
}

/** Factor for a finished content, whose texts the mailer also keeps encoded, such as in quoted-printable. */
const encodedShare = 3;
/** Bytes that a tag takes besides its source. */
const tagCost = 125;

const costOf = ({ source: { html, text }, tags }: Composition): number =>
  html.length + text.length + tagCost * tags + 1_000;

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
