import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { AttachmentHandle, AttachmentItem, SendingWorkspace } from "../../ports/storage.ts";
import { mediaTypeOf } from "../../rules/media-types.ts";
import type { GivenAttachment } from "./attachment-fields.ts";
import type { ChosenFile, ChosenFiles } from "./chosen-files.ts";
import { maxInlineBytes, type SizeBounds, sizeFaults, sum } from "./size-faults.ts";
import { noteEvery } from "./store-content.ts";

export const noFiles: ChosenFiles = { files: [], holdsInline: false, used: [] };

/**
 * Looks up and checks the files of a send; writes nothing. Possible reasons: `attachment_not_found`,
 * `attachment_too_large`, `message_too_large`, and `validation_failed` for an inline file without html that could refer
 * to it.
 */
export async function chooseFiles(
  context: ReadContext,
  { workspaceId, limits }: Pick<SendingWorkspace, "workspaceId" | "limits">,
  {
    attachments,
    hasHtml,
    isSensitive = false,
  }: { attachments: readonly GivenAttachment[]; hasHtml: boolean; isSensitive?: boolean },
): Promise<ChosenFiles & { reasons: ServiceError[] }> {
  const { handles, missing } = await findHandles(context, workspaceId, attachments);
  const files = (await Promise.all(attachments.map((given) => fileOf(given, handles)))).filter(
    (file) => file !== undefined,
  );
  const inline = files.filter(({ source }) => typeof source !== "number");
  const reasons = [
    missing.length === 0 ? undefined : notFound(missing),
    lostFileFault(attachments, hasHtml),
    ...sizeFaults(files, { limits, config: context.config }),
    inlineSizeFault(sum(inline), isSensitive),
  ].filter((reason) => reason !== undefined);
  const isToBeNoted = ({ usedAt }: AttachmentHandle) =>
    usedAt === undefined || usedAt < context.now - noteEvery;
  const used = [...handles.values()].filter(isToBeNoted).map(({ id }) => id);
  return { files, holdsInline: inline.length > 0, used, reasons };
}

/** Returns the reasons why stored files can't be sent now. */
export const storedFileFaults = (
  files: readonly AttachmentItem[],
  { hasHtml, ...bounds }: SizeBounds & { hasHtml: boolean },
): ServiceError[] =>
  [lostFileFault(files, hasHtml), ...sizeFaults(files, bounds)].filter((reason) => reason !== undefined);

/** Returns the fault of an inline file in an e-mail without html, if there is one. */
function lostFileFault(
  files: readonly { contentId?: string | undefined }[],
  hasHtml: boolean,
): ServiceError | undefined {
  const lost = hasHtml ? -1 : files.findIndex(({ contentId }) => contentId !== undefined);
  return lost < 0 ? undefined : fieldError(`attachments.${lost}.contentId`, "needs html that refers to it");
}

async function findHandles(
  { storage, now }: ReadContext,
  workspaceId: number,
  attachments: readonly GivenAttachment[],
): Promise<{ handles: Map<string, AttachmentHandle>; missing: string[] }> {
  const ids = [...new Set(attachments.flatMap(({ id }) => id ?? []))];
  const found = await storage.attachments.findHandles(workspaceId, ids, now);
  const handles = new Map(found.map((handle) => [handle.id, handle]));
  return { handles, missing: ids.filter((id) => !handles.has(id)) };
}

const notFound = (missing: string[]): ServiceError =>
  new ServiceError("attachment_not_found", {
    message: `There is no attachment ${missing[0]}, or it has expired: upload it again.`,
    details: { missing },
  });

async function fileOf(
  { filename, content, contentType, id, contentId }: GivenAttachment,
  handles: ReadonlyMap<string, AttachmentHandle>,
): Promise<ChosenFile | undefined> {
  const handle = id === undefined ? undefined : handles.get(id);
  if (handle !== undefined) {
    const { blobId, digest, size } = handle;
    const name = filename ?? handle.filename;
    return { source: blobId, digest, size, filename: name, contentType: handle.contentType, contentId };
  }
  if (content === undefined || filename === undefined) return undefined;
  const { bytes, size, digest } = content;
  const type = contentType ?? (await mediaTypeOf(filename));
  return { source: bytes, digest, size, filename, contentType: type, contentId };
}

function inlineSizeFault(size: number, isSensitive: boolean): ServiceError | undefined {
  if (size <= maxInlineBytes) return undefined;
  return new ServiceError("attachment_too_large", {
    message: isSensitive
      ? "The files of a sensitive e-mail may have at most 10 MB together."
      : "The files of an e-mail within its request may have at most 10 MB together: upload larger ones with POST /attachments, and send them by their ids.",
    details: { limit: "inline_mb", value: maxInlineBytes / 1024 / 1024, size },
  });
}
