import { z } from "zod";
import { assertKey } from "../../calls/assert-key.ts";
import { chunksOf } from "../../calls/input/chunks-of.ts";
import { streamField } from "../../calls/input/native-types.ts";
import { type ReadContext, useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { SendingWorkspace } from "../../ports/storage.ts";
import { mediaTypeOf } from "../../rules/media-types.ts";
import { findStaying } from "../acceptance/find-sending-workspace.ts";
import { contentTypeField, filenameField } from "./attachment-fields.ts";
import { type AttachmentView, viewAttachment } from "./attachment-view.ts";
import { fileSizeFault } from "./size-faults.ts";
import { handleLifetime, type StoredUpload, storeStream } from "./store-content.ts";

/** Maximum uploads of a workspace that it has never sent. */
const maxUnused = { bytes: 2 * 1024 * 1024 * 1024, handles: 10_000 };

const input = z.strictObject({
  filename: filenameField.describe(
    "The file's name, at most 255 bytes; of a path only the last part is kept.",
  ),
  content: streamField.describe(
    "The file: bytes, or a stream of them. Over HTTP it is the body of the request.",
  ),
  contentType: contentTypeField
    .optional()
    .describe(
      "The media type; over HTTP the header Content-Type. Default: by the name's extension, else application/octet-stream.",
    ),
  size: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Number of bytes, if known in advance: a file that is too large is then refused before it is read.",
    ),
});

type Input = z.output<typeof input>;

type Uploading = readonly ["api_key", "campaigns:write"];

/**
 * Stores a file that sends and campaigns can refer to by its id, for 7 days from the upload, and at least as long from
 * each use (platform.md P3, P9).
 */
export const uploadAttachment = useCase({
  access: ["api_key", "campaigns:write"],
  refusals: ["attachment_too_large", "message_too_large", "not_found", "rate_limited"],
  // Uploads count one after the other, so that the limit is kept exactly.
  locksWorkspace: true,
  input,
  async prepare(context, file): Promise<StoredUpload> {
    const giveBack = context.runtime.uploadLimits.reserveUpload(context.workspace.id);
    try {
      return await keep(context, file);
    } finally {
      giveBack();
    }
  },
  run: (context, file, kept): Promise<AttachmentView> => finish(context, file, kept),
});

async function keep(context: ReadContext<Uploading>, file: Input): Promise<StoredUpload> {
  const { storage, config, now } = context;
  const workspace = await findOwner(context);
  const { filename } = file;
  const assertSize = (size: number): void => {
    const fault = fileSizeFault({ filename, size }, { limits: workspace.limits, config });
    if (fault !== undefined) throw fault;
  };
  assertSize(file.size ?? 0);
  await assertRoom(context);
  return storeStream(storage.attachments, chunksOf(file.content), { now, assertSize });
}

/** Returns what limits the workspace. Throws `not_found` if it is gone, or is being deleted. */
const findOwner = ({ storage, workspace, runtime }: ReadContext<Uploading>): Promise<SendingWorkspace> =>
  findStaying(storage, workspace.id, runtime.queueClock.now());

/** Throws `rate_limited` if the workspace has too many uploads that it never sent. */
async function assertRoom({ storage, workspace }: ReadContext<Uploading>, more = 0): Promise<void> {
  const { bytes, handles } = await storage.attachments.unusedOf(workspace.id);
  if (bytes + more <= maxUnused.bytes && handles < maxUnused.handles) return;
  throw new ServiceError("rate_limited", {
    message:
      "The workspace has 2 GB or 10,000 uploaded files that were never sent: send or delete some first.",
    retryAfter: 60,
  });
}

async function finish(
  context: WriteContext<Uploading>,
  { filename, contentType }: Input,
  { uploadId, ...facts }: StoredUpload,
): Promise<AttachmentView> {
  const { storage, workspace, runtime, caller, now, emit } = context;
  await assertKey(storage, caller, runtime.now());
  await findOwner(context);
  await assertRoom(context, facts.size);
  const handle = {
    id: runtime.newId(),
    workspaceId: workspace.id,
    blobId: await storage.attachments.finishUpload(uploadId, facts, now),
    filename,
    contentType: contentType ?? (await mediaTypeOf(filename)),
    createdAt: now,
    expiresAt: now + handleLifetime,
  };
  await storage.attachments.insertHandle(handle);
  emit("attachment.created", {
    metadata: { attachment_id: handle.id, name: filename, size: facts.size },
  });
  return viewAttachment({ ...handle, ...facts, usedAt: undefined });
}
