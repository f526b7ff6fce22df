import { createHash } from "node:crypto";
import type { ReadContext } from "../../calls/use-case.ts";
import type { AttachmentItem } from "../../ports/storage.ts";
import type { ChosenFile, ChosenFiles, SubmittedFiles } from "./chosen-files.ts";
import { createFileSeal, type SealedFile, undisclosedFile } from "./sealed-files.ts";
import { sum } from "./size-faults.ts";
import { handleLifetime, noteEvery, storeBytes, storeSealedBytes } from "./store-content.ts";

type Context = Pick<ReadContext, "storage" | "runtime" | "now">;

/**
 * Stores the files of a request, encrypted for a sensitive e-mail, and returns them as files of a submission. Call it
 * last: if the send is refused afterwards, the contents stay for an hour.
 */
export async function storeFiles(
  context: Context,
  { files, used }: ChosenFiles,
  { isSensitive, workspaceId }: { isSensitive: boolean; workspaceId: number },
): Promise<SubmittedFiles | undefined> {
  if (files.length === 0) return undefined;
  const { runtime, now } = context;
  const inline = sum(files.filter(({ source }) => typeof source !== "number"));
  const giveBack = runtime.uploadLimits.reserveInline(workspaceId, inline);
  try {
    const items: AttachmentItem[] = [];
    const sealed: SealedFile[] = [];
    for (const file of files) {
      if (!isSensitive) {
        items.push(await keep(context, file));
        continue;
      }
      const kept = await keepSealed(context, file);
      items.push(kept.item);
      sealed.push(kept.sealed);
    }
    return {
      set: { digest: digestOf(items), items },
      // Uses until the next note are not noted.
      used: { ids: used, expiresAt: now + noteEvery + handleLifetime },
      ...(isSensitive ? { sealed } : {}),
    };
  } finally {
    giveBack();
  }
}

async function keep({ storage, now }: Context, { source, ...facts }: ChosenFile): Promise<AttachmentItem> {
  const blobId =
    typeof source === "number"
      ? source
      : await storeBytes(storage.attachments, { bytes: source, digest: facts.digest }, now);
  return { ...facts, blobId };
}

async function keepSealed(
  { storage, now }: Context,
  { source, size, filename, contentType, contentId }: ChosenFile,
): Promise<{ item: AttachmentItem; sealed: SealedFile }> {
  if (typeof source === "number") throw new TypeError("an upload is not kept sealed");
  const { key, digest } = createFileSeal();
  const blobId = await storeSealedBytes(storage.attachments, { bytes: source, digest, key }, now);
  return {
    item: { blobId, digest, size, ...undisclosedFile },
    sealed: { filename, contentType, contentId, key },
  };
}

/** Identifies a list of files by contents, names, media types and content ids. */
function digestOf(items: readonly AttachmentItem[]): string {
  const facts = items.map(({ digest, filename, contentType, contentId }) => [
    digest,
    filename,
    contentType,
    contentId ?? null,
  ]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
