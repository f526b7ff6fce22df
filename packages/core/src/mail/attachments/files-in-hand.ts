import { ServiceError } from "../../errors.ts";

const mebibyte = 1024 * 1024;
/** Bytes of files that came within requests and are not kept yet. */
const mostInlineBytes = 128 * mebibyte;
/** Uploads under way at once. */
const mostUploads = 64;
const mostUploadsOfOne = 8;

/** Bounds what files that come in hold up in this process. Each answers with what gives the place back. */
export interface FilesInHand {
  /** For files within a request. Throws `unavailable` where others hold too much. */
  takeInline(bytes: number): () => void;
  /** For an upload of a workspace. Throws `rate_limited` where too many are under way. */
  takeUpload(workspaceId: number): () => void;
}

/** Makes the bounds of one process. */
export function createFilesInHand(): FilesInHand {
  let inlineBytes = 0;
  let uploads = 0;
  const uploadsOf = new Map<number, number>();
  return {
    takeInline(bytes) {
      if (inlineBytes > 0 && inlineBytes + bytes > mostInlineBytes)
        throw new ServiceError("unavailable", {
          message: "Too many files are being sent at once.",
          retryAfter: 1,
        });
      inlineBytes += bytes;
      return () => {
        inlineBytes -= bytes;
      };
    },
    takeUpload(workspaceId) {
      const own = uploadsOf.get(workspaceId) ?? 0;
      if (own >= mostUploadsOfOne || uploads >= mostUploads)
        throw new ServiceError("rate_limited", {
          message: `At most ${mostUploadsOfOne} files can be uploaded at once.`,
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
