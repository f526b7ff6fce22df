import { createHash } from "node:crypto";
import type { ReadContext } from "../../calls/use-case.ts";
import type { AttachmentItem } from "../../ports/storage/attachments.ts";
import { type ChosenFiles, type OrderedFiles, sum } from "./choose-files.ts";
import { keepBytes } from "./keep-content.ts";
import { handleLifetime } from "./upload-attachment.ts";

/**
 * Keeps what came within the request; the files as an order has them. Call it last: what refuses the send afterwards leaves the contents
 * for an hour.
 */
export async function keepFiles(
  { storage, runtime, now }: ReadContext,
  { files, used }: ChosenFiles,
): Promise<OrderedFiles | undefined> {
  if (files.length === 0) return undefined;
  const inline = sum(files.filter(({ source }) => typeof source !== "number"));
  const giveBack = runtime.filesInHand.takeInline(inline);
  try {
    const items: AttachmentItem[] = [];
    for (const { source, ...facts } of files) {
      const blobId =
        typeof source === "number"
          ? source
          : await keepBytes(storage.attachments, { bytes: source, digest: facts.digest }, now);
      items.push({ ...facts, blobId });
    }
    return { set: { digest: digestOf(items), items }, used: { ids: used, expiresAt: now + handleLifetime } };
  } finally {
    giveBack();
  }
}

/** Tells two lists of files apart by all that they are. */
function digestOf(items: readonly AttachmentItem[]): string {
  const facts = items.map(({ digest, filename, contentType, contentId }) => [
    digest,
    filename,
    contentType,
    contentId ?? null,
  ]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
