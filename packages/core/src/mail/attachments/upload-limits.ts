import { ServiceError } from "../../errors.ts";

const mebibyte = 1024 * 1024;
/** Maximum bytes of files from requests that are not stored yet. */
const maxInlineBytes = 128 * mebibyte;
/** Of these, those of one workspace. */
const maxInlineBytesOfOne = maxInlineBytes / 2;
/** Maximum number of simultaneous uploads. */
const maxUploads = 64;
const maxUploadsOfOne = 8;
/** Places for workspaces without an upload: an upload may take an hour, and a person have many workspaces. */
const lastUploads = 16;

/**
 * Limits the memory and connections that incoming files occupy in this process. Each method returns the function that
 * releases the place.
 */
export interface UploadLimits {
  /** Takes a place for files within a request. Throws `unavailable` if others take too much, of the workspace or of all. */
  reserveInline(workspaceId: number, bytes: number): () => void;
  /** Takes a place for an upload. Throws `rate_limited` if too many are in progress. */
  reserveUpload(workspaceId: number): () => void;
}

/** Creates the limits of one process. */
export function createUploadLimits(): UploadLimits {
  let inlineBytes = 0;
  const inlineBytesOf = new Map<number, number>();
  let uploads = 0;
  const uploadsOf = new Map<number, number>();
  return {
    reserveInline(workspaceId, bytes) {
      const own = inlineBytesOf.get(workspaceId) ?? 0;
      const isFull = inlineBytes > 0 && inlineBytes + bytes > maxInlineBytes;
      if (isFull || (own > 0 && own + bytes > maxInlineBytesOfOne))
        throw new ServiceError("unavailable", {
          message: "Too many files are being sent at once.",
          retryAfter: 1,
        });
      inlineBytes += bytes;
      inlineBytesOf.set(workspaceId, own + bytes);
      return () => {
        inlineBytes -= bytes;
        const left = (inlineBytesOf.get(workspaceId) ?? bytes) - bytes;
        if (left === 0) inlineBytesOf.delete(workspaceId);
        else inlineBytesOf.set(workspaceId, left);
      };
    },
    reserveUpload(workspaceId) {
      const own = uploadsOf.get(workspaceId) ?? 0;
      const isFull = uploads >= (own === 0 ? maxUploads : maxUploads - lastUploads);
      if (own >= maxUploadsOfOne || isFull)
        throw new ServiceError("rate_limited", {
          message:
            own >= maxUploadsOfOne
              ? `At most ${maxUploadsOfOne} files can be uploaded at once.`
              : "Too many files are being uploaded at once.",
          retryAfter: 1,
        });
      uploads += 1;
      uploadsOf.set(workspaceId, own + 1);
      return () => {
        uploads -= 1;
        const left = (uploadsOf.get(workspaceId) ?? 1) - 1;
        if (left === 0) uploadsOf.delete(workspaceId);
        else uploadsOf.set(workspaceId, left);
      };
    },
  };
}
