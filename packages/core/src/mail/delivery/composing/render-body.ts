import type { Composition } from "../../../content/composition.ts";
import type { MailMessage } from "../../../ports/mailer.ts";
import type { ClaimedEmail, Content, EmailPayload } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";
import type { LinkRewrite } from "../../../tracking/links/link-rewrite.ts";
import { rewriteHtml } from "../../../tracking/links/rewrite-html.ts";
import { withLink } from "../../submission/open-unsubscription.ts";
import type { SealedContent } from "../../submission/sealed-content.ts";
import type { BodyPlace } from "./body-room.ts";

/**
 * Attempts that wait for the content to be finished. Later ones send it unfinished, because accepted mail must be sent.
 */
const patientAttempts = 2;

/** Thrown if an e-mail should be retried a little later, because its content is not finished. */
export class ContentUnfinished extends Error {
  override readonly name = "ContentUnfinished";
}

/** A mail's body: stored texts, or the result of a template. */
export type Body = Pick<MailMessage, "html" | "text"> | TemplateBody;

interface TemplateBody {
  parts: NonNullable<MailMessage["parts"]>;
  /** Renders the same parts again. */
  again: () => NonNullable<MailMessage["parts"]>;
  missing: readonly string[];
  /** UTF-16 units of both texts. */
  size: number;
}

/** Returns the values for an e-mail's template, including the sealed ones. */
export const valuesOf = ({ data, unsubscribe }: EmailPayload, sealed: SealedContent | undefined) =>
  withLink(sealed?.data ?? (typeof data === "string" ? {} : data), unsubscribe);

export const findLiteral = (
  { acceptance }: Runtime,
  { email: { contentId } }: ClaimedEmail,
): Promise<Content | undefined> | undefined =>
  contentId === undefined ? undefined : acceptance.contentCache.literal(contentId);

/** Rewrites the links of a content that is sent as written. What its html grows by takes memory from `place`. */
export function rewriteLiteral(
  content: Content | undefined,
  { place, rewrite }: { place: BodyPlace; rewrite: LinkRewrite | undefined },
): Body | undefined | Promise<Body> {
  if (content === undefined || content.html === "" || rewrite === undefined) return content;
  const { html: asWritten, text } = content;
  const write = async () => ({ html: await rewriteHtml(asWritten, rewrite, place.inTurn), text });
  return write().then((body) => {
    const entering = place.enter(body.html.length - asWritten.length);
    // As below: it is written again after waiting.
    return entering === undefined ? body : entering.then(write);
  });
}

/** Renders an e-mail's content, with its links rewritten if it is tracked; `undefined` if the content is gone. */
export function renderBody(
  runtime: Runtime,
  { email, attempt, contentHash, stylesheetSetHash }: ClaimedEmail,
  { data, place, rewrite }: { data: unknown; place: BodyPlace; rewrite: LinkRewrite | undefined },
): Body | undefined | Promise<Body | undefined> {
  const { contentId, stylesheetSetId: setId } = email;
  if (contentId === undefined) return undefined;
  const { contentCache } = runtime.acceptance;
  const finished = contentCache[rewrite === undefined ? "finished" : "tracked"](
    { id: contentId, hash: contentHash },
    setId === undefined || stylesheetSetHash === undefined
      ? undefined
      : { id: setId, hash: stylesheetSetHash },
    email.workspaceId,
  );
  const write = (composition: Composition): TemplateBody => {
    const { html, text, missing, size } = composition.renderBody(data, rewrite);
    return { parts: { html, text }, again: () => write(composition).parts, missing, size };
  };
  const render = (
    composition: Composition | undefined,
  ): TemplateBody | undefined | Promise<TemplateBody | undefined> => {
    if (composition === undefined) return undefined;
    if (composition.provisional && attempt <= patientAttempts)
      throw new ContentUnfinished(composition.provisional.message);
    const body = place.inTurn(() => write(composition));
    const admit = (written: TemplateBody): TemplateBody | Promise<TemplateBody> =>
      // A body that has to wait is written again after that, as it would take the memory that it waits for.
      place.enter(written.size)?.then(() => place.inTurn(() => write(composition))) ?? written;
    return body instanceof Promise ? body.then(admit) : admit(body);
  };
  return finished instanceof Promise ? finished.then(render) : render(finished);
}
