import { ServiceError } from "../../errors.ts";

const mebibyte = 1024 * 1024;
/** Maximum bytes of files from requests that are not stored yet. */
const maxInlineBytes = 128 * mebibyte;
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
  /** Takes a place for files within a request. Throws `unavailable` if others take too much. */
  reserveInline(bytes: number): () => void;
  /** Takes a place for an upload. Throws `rate_limited` if too many are in progress. */
  reserveUpload(workspaceId: number): () => void;
}

/** Creates the limits of one process. */
export function createUploadLimits(): UploadLimits {
  let inlineBytes = 0;
  let uploads = 0;
  const uploadsOf = new Map<number, number>();
  return {
    reserveInline(bytes) {
      if (inlineBytes > 0 && inlineBytes + bytes > maxInlineBytes)
        throw new ServiceError("unavailable", {
          message: "Too many files are being sent at once.",
          retryAfter: 1,
        });
      inlineBytes += bytes;
      return () => {
        inlineBytes -= bytes;
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
