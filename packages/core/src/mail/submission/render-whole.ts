import type { ReadContext } from "../../calls/use-case.ts";
import { createRenderBudget } from "../../content/rendering/render-budget.ts";
import { TemplateLimitError, TemplateSyntaxError } from "../../content/rendering/template-errors.ts";
import { joinParts } from "../../content/rendering/text-parts.ts";
import type { LinkRewrite } from "../../tracking/links/link-rewrite.ts";
import { rewriteHtml } from "../../tracking/links/rewrite-html.ts";
import { previewTracking } from "../../tracking/preview-tracking.ts";
import { fileWarnings } from "../attachments/file-warnings.ts";
import { sum } from "../attachments/size-faults.ts";
import type { DraftSource, DraftWarning, EmailDraft } from "./email-draft.ts";
import { withLink } from "./open-unsubscription.ts";

type Context = Pick<ReadContext, "acceptance" | "storage" | "config" | "yieldThread">;

/** Bytes of html above which Gmail clips the message and shows a link to the rest. */
const gmailClips = 102 * 1024;

const subjectless = { code: "subject_empty", message: "The e-mail has no subject." };

/** RFC 8058 section 3.1. */
const insecureLink = {
  code: "unsubscribe_link_insecure",
  message:
    "The link to unsubscribe is not https, as the service's base URL is not: mailbox providers show no button for it.",
};

/** A tag of Mustache that prints a value or opens a section, on one line and of a length that names have. */
const placeholder = /\{\{\{?[#^&]?\s{0,9}[\w.-]{1,100}\s{0,9}\}\}/;

/** Placeholders of Mailchimp, Liquid or Jinja, and Mailgun, which are text here. */
const foreignPlaceholder =
  /\*\|[\w:-]{1,100}\|\*|\{%-?\s{0,9}[a-z][^%{}\n]{0,200}%\}|%recipient\.[\w.-]{1,100}%/i;

/** Warns of what looks like a placeholder and is sent as it is. */
function placeholderWarnings(
  { source }: EmailDraft,
  content: { subject: string; html: string; text: string },
): DraftWarning[] {
  return (["subject", "html", "text"] as const).flatMap((field) => {
    const own = source.kind === "literal" ? placeholder.exec(source.content[field])?.[0] : undefined;
    const found = own ?? foreignPlaceholder.exec(content[field])?.[0];
    if (found === undefined) return [];
    const why =
      own === undefined
        ? "placeholders are written {{name}}, in a template"
        : "only templates have placeholders";
    return {
      code: "placeholder_not_filled",
      message: `${found} in the ${field} is sent as it is: ${why}.`,
      details: { field },
    };
  });
}

/** Renders the whole content for a dry run as it would be sent, with tracked links, and checks it. */
export async function renderWhole(
  draft: EmailDraft,
  context: Context,
): Promise<{ sizeBytes: number; unused: string[]; warnings: DraftWarning[] }> {
  const { source } = draft;
  if (source.kind === "missing") return { sizeBytes: 0, unused: [], warnings: [] };
  const tracking = await previewTracking(draft, context);
  const body =
    source.kind === "version"
      ? await renderVersion(draft, source, context, tracking?.rewrite)
      : source.content.html === "" || tracking === undefined
        ? { ...source.content, unused: [] }
        : { ...source.content, html: await rewriteHtml(source.content.html, tracking.rewrite), unused: [] };
  const html = Buffer.byteLength(body.html);
  const details = { limit: gmailClips, value: html };
  const clipped = {
    code: "html_clipped",
    message: "Gmail shows only the first 102 KiB of html.",
    details,
  };
  const texts = [body.text, draft.subject, draft.fields.calendar?.content ?? ""];
  return {
    sizeBytes:
      html + sum(draft.files.files) + texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0),
    unused: body.unused,
    warnings: [
      ...(draft.subject === "" ? [subjectless] : []),
      ...placeholderWarnings(draft, { ...body, subject: draft.subject }),
      ...(html > gmailClips ? [clipped] : []),
      ...(/^http:/i.test(draft.unsubscribe?.url ?? "") ? [insecureLink] : []),
      ...fileWarnings(body.html, draft.files.files),
      ...(html > 0 ? (tracking?.warnings ?? []) : []),
    ],
  };
}

async function renderVersion(
  draft: EmailDraft,
  { version, data: given, subject }: Extract<DraftSource, { kind: "version" }>,
  { acceptance: { contentCache }, storage, yieldThread }: Context,
  rewrite: LinkRewrite | undefined,
): Promise<{ html: string; text: string; unused: string[] }> {
  const data = withLink(given, draft.unsubscribe);
  const nothing = { html: "", text: "", unused: [] };
  const content = { id: version.contentId, hash: version.contentHash };
  const { stylesheetSetId: id, workspaceId } = draft.workspace;
  const set = id === undefined ? undefined : await storage.contents.findStylesheetSet(id);
  const styles = id === undefined || set === undefined ? undefined : { id, hash: set.hash };
  const [asWritten, composition] = await Promise.all([
    contentCache.draft(content),
    contentCache[rewrite === undefined ? "finished" : "tracked"](content, styles, workspaceId),
  ]);
  if (asWritten === undefined || composition === undefined) return nothing;
  const read = new Set<string>();
  // Many at once would hold the thread, and the memory of all their results, together.
  await yieldThread();
  try {
    asWritten.examine(watchKeys(data, read), createRenderBudget());
    const parts = composition.renderBody(data, rewrite);
    // The caller's own subject is also a template, and may be the only one that uses a value.
    const own = subject ?? "";
    return {
      html: parts.html === undefined ? "" : joinParts(parts.html),
      text: parts.text === undefined ? "" : joinParts(parts.text),
      unused: Object.keys(given).filter((name) => !read.has(name) && !own.includes(name)),
    };
  } catch (error) {
    // The checks have already reported this fault.
    if (error instanceof TemplateLimitError || error instanceof TemplateSyntaxError) return nothing;
    throw error;
  }
}

/** Wraps the data so that the names read from it are recorded. */
const watchKeys = (data: Record<string, unknown>, read: Set<string>): Record<string, unknown> =>
  new Proxy(data, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
