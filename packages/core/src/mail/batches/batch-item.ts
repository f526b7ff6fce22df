import type { z } from "zod";
import { parseInput } from "../../calls/input/parse-input.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { NewContent } from "../../ports/storage.ts";
import { beginningOf } from "../../rules/beginning-of.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";
import { plainFields } from "../submission/plain-fields.ts";
import type { SendFields } from "../submission/send-fields.ts";
import { type BatchRequest, emailItem, recipientItem, type SharedFields } from "./batch-fields.ts";

/** Content requested for an e-mail of a batch. */
export type RequestedContent =
  | { kind: "literal"; content: NewContent }
  | {
      kind: "template";
      template: string;
      templateVersionId: string | undefined;
      data: Record<string, unknown>;
      allowMissing: boolean;
      subject: string | undefined;
    };

/** An e-mail of a batch, as requested. */
export interface BatchItem {
  /** Position in the request, from 0. */
  index: number;
  /** The recipient, for the answer; as given if it can't be parsed. */
  to: string;
  key: string | undefined;
  /** The parsed item, or its fault with paths within the item. */
  asked: { fields: SendFields; content: RequestedContent } | ServiceError;
}

/** An item, with the parts that the digest of the request is made of. */
interface ReadItem extends BatchItem {
  told: unknown;
}

/** Creates a function that parses the items of a batch, one at a time. */
export function createItemReader(request: BatchRequest): (raw: unknown, index: number) => ReadItem {
  if (request.recipients === undefined) return (raw, index) => reading(raw, index, () => readEmail(raw));
  const fields = fieldsOf(request);
  const content = contentOf(request);
  return (raw, index) =>
    reading(raw, index, () => {
      const parsed = parseInput(recipientItem, raw);
      if (request.unsubscribe !== undefined && Object.hasOwn(parsed.templateData, unsubscribeUrl))
        throw fieldError(`templateData.${unsubscribeUrl}`, "is set by the service if unsubscribe is given");
      if (content.kind === "literal" && Object.keys(parsed.templateData).length > 0)
        throw fieldError("templateData", "needs a template");
      return { parsed, asked: askFor(parsed, fields, content) };
    });
}

function askFor(
  { to, templateData, tags, metadata, dedupeKey }: z.output<typeof recipientItem>,
  fields: SendFields,
  content: RequestedContent,
): { fields: SendFields; content: RequestedContent } {
  const own = {
    ...fields,
    to: [to],
    dedupeKey,
    tags: tags ?? fields.tags,
    metadata: metadata ?? fields.metadata,
  };
  if (content.kind === "literal") return { fields: own, content };
  return { fields: own, content: { ...content, data: { ...content.data, ...templateData } } };
}

interface Read {
  parsed: { key?: string | undefined };
  asked: { fields: SendFields; content: RequestedContent };
}

function reading(raw: unknown, index: number, read: () => Read): ReadItem {
  try {
    const { parsed, asked } = read();
    const to = asked.fields.to.map(({ address }) => address).join(", ");
    return { index, to, key: parsed.key, asked, told: parsed };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { to, key } = Object(raw) as { to?: unknown; key?: unknown };
    return {
      index,
      to: beginningOf([to].flat().filter(isText).join(", "), 998),
      key: isText(key) ? beginningOf(key, 255) : undefined,
      asked: error,
      told: raw,
    };
  }
}

const isText = (value: unknown): value is string => typeof value === "string";

function readEmail(raw: unknown): Read {
  const parsed = parseInput(emailItem, raw);
  const { template, templateVersionId, allowMissing, templateData, subject, html, text, key, ...fields } =
    parsed;
  return { parsed, asked: { fields, content: contentOf(parsed) } };
}

function contentOf(
  given: Pick<SharedFields, "template" | "templateVersionId" | "allowMissing" | "templateData"> &
    Pick<SharedFields, "subject" | "html" | "text">,
): RequestedContent {
  const { template, templateVersionId, allowMissing = false, templateData: data = {} } = given;
  const { subject, html = "", text = "" } = given;
  if (template === undefined) return { kind: "literal", content: { subject: subject ?? "", html, text } };
  return { kind: "template", template, templateVersionId, data, allowMissing, subject };
}

/** Makes the fields that all recipients share, without files: those are looked up once for the whole batch. */
function fieldsOf(request: SharedFields): SendFields {
  const none = plainFields([]);
  return {
    ...none,
    from: request.from,
    sender: request.sender,
    calendar: request.calendar,
    replyTo: request.replyTo ?? none.replyTo,
    headers: request.headers ?? none.headers,
    tags: request.tags ?? none.tags,
    metadata: request.metadata ?? none.metadata,
    scheduledAt: request.scheduledAt,
    unsubscribe: request.unsubscribe,
    tracking: request.tracking,
    smtpServerId: request.smtpServerId,
    deliverBefore: request.deliverBefore,
    priority: request.priority ?? none.priority,
    sensitive: request.sensitive ?? none.sensitive,
  };
}
