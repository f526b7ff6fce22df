import { createHash } from "node:crypto";
import { z } from "zod";
import { anyText } from "../../calls/input/any-text.ts";
import { bytesField } from "../../calls/input/native-types.ts";
import { base64Pattern, mediaTypePattern } from "../../calls/input/text-patterns.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { decodeBase64, decodedLength } from "../../rules/base64-lines.ts";
import { cleanFilename } from "../../rules/file-names.ts";
import { mediaTypeFault, withoutName } from "../../rules/media-types.ts";
import { unstorableText } from "../../rules/unstorable-text.ts";
import { maxInlineBytes } from "./size-faults.ts";

const maxFiles = 20;

/** Name of a file as it is sent. */
export const filenameField = anyText(z.string().max(1024))
  .transform((given, context): string => {
    const fault = unstorableText(given.replaceAll("\0", ""));
    const name = fault === undefined ? cleanFilename(given) : undefined;
    if (name !== undefined) return name;
    context.addIssue({ code: "custom", message: fault ?? "is not a file name" });
    return z.NEVER;
  })
  .meta({ minLength: 1 });

export const contentTypeField = z
  .string()
  .transform((given, context): string => {
    const fault = mediaTypeFault(given);
    if (fault === undefined) return withoutName(given);
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  })
  .meta({ pattern: mediaTypePattern, maxLength: 255 });

const contentIdField = z
  .string()
  .regex(
    /^[A-Za-z0-9._+-]{1,128}(?:@[A-Za-z0-9._+-]{1,128})?$/,
    "must be 1 to 128 of A-Z a-z 0-9 . _ + -, such as logo, without brackets",
  );

/** Content of a file within a request. As JSON it is its digest, by which requests are compared. */
export interface InlineContent {
  /** Content of the file. Empty if the files are refused, as `size` of all together is over the limit. */
  bytes: Buffer;
  /** Number of decoded bytes. */
  size: number;
  /** SHA-256, 64 hex digits; empty with `bytes`. */
  digest: string;
  /** Returns the digest, which replaces the content in JSON. */
  toJSON(): string;
}

const base64Text = z.string().meta({ contentEncoding: "base64", pattern: base64Pattern });

const base64OrBytes = z.union([base64Text, bytesField], {
  error: "must be base64, or a Uint8Array in the library: a stream is uploaded first, and sent by its id",
});

const attachment = z.strictObject({
  filename: filenameField
    .optional()
    .describe(
      "The file's name, at most 255 bytes; of a path only the last part is kept. Required with content; with id, the default is the upload's name.",
    ),
  content: base64OrBytes
    .optional()
    .describe(
      "The file in base64 (RFC 4648), or as bytes in the library; the files of one e-mail may have at most 10 MB together, larger ones are uploaded first. Either content or id is required.",
    ),
  contentType: contentTypeField
    .optional()
    .describe("The media type of content. Default: by the name's extension, else application/octet-stream."),
  id: uuidField.optional().describe("The id of an uploaded file, instead of content."),
  contentId: contentIdField
    .optional()
    .describe("Id by which the html shows the file, as `cid:` followed by this id; unique in the e-mail."),
});

type UnreadAttachment = z.output<typeof attachment>;

/** A file of a send, as requested. */
export type GivenAttachment = Omit<UnreadAttachment, "content"> & { content?: InlineContent | undefined };

/** Input field with the files of a send. */
export const attachmentsField = z
  .array(attachment)
  .max(maxFiles, `takes at most ${maxFiles} files`)
  .superRefine(refineAll)
  .transform(readAll)
  .default([])
  .describe(
    "At most 20 files, within the request or by the id of an upload. The plan limits the size of each, the server the total (25 MB).",
  );

/** Rejects faults that involve several fields: a file with two sources or none, and duplicate content ids. */
function refineAll(given: UnreadAttachment[], context: z.core.$RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  const seen = new Set<string>();
  for (const [index, { filename, content, contentType, id, contentId }] of given.entries()) {
    if ((content === undefined) === (id === undefined)) refuse([index], "needs either content or id");
    if (content !== undefined && filename === undefined)
      refuse([index, "filename"], "is required with content");
    if (id !== undefined && contentType !== undefined)
      refuse([index, "contentType"], "can't be given with id: the upload has its own");
    if (contentId === undefined) continue;
    // Some mail software compares content ids without regard to case.
    if (seen.has(contentId.toLowerCase())) refuse([index, "contentId"], `${contentId} is given twice`);
    seen.add(contentId.toLowerCase());
  }
}

/** Reads the contents, unless they are too large together: decoding them first would hold up the whole process. */
function readAll(given: UnreadAttachment[], context: z.core.$RefinementCtx): GivenAttachment[] {
  const contents = given.flatMap(({ content }) => content ?? []);
  const isTooLarge = total(contents, mostBytes) > maxInlineBytes && total(contents, sizeOf) > maxInlineBytes;
  return given.map(({ content, ...file }, index) => {
    if (content === undefined) return file;
    if (isTooLarge) return { ...file, content: inlineContent(Buffer.alloc(0), sizeOf(content), "") };
    const bytes =
      typeof content === "string"
        ? decodeBase64(content)
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (bytes === undefined) {
      context.addIssue({
        code: "custom",
        path: [index, "content"],
        message: "is not base64 (RFC 4648, padded, standard alphabet rather than base64url)",
      });
      return file;
    }
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { ...file, content: inlineContent(bytes, bytes.length, digest) };
  });
}

const inlineContent = (bytes: Buffer, size: number, digest: string): InlineContent => ({
  bytes,
  size,
  digest,
  toJSON: () => digest,
});

type GivenContent = z.output<typeof base64OrBytes>;

/** Size of a content if it has no blanks: known at once, and never too small. */
const mostBytes = (content: GivenContent): number =>
  typeof content === "string" ? Math.ceil(content.length / 4) * 3 : content.length;

const sizeOf = (content: GivenContent): number =>
  typeof content === "string" ? decodedLength(content) : content.length;

const total = (contents: GivenContent[], size: (content: GivenContent) => number): number =>
  contents.reduce((sum, content) => sum + size(content), 0);
