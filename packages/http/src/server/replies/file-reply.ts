import type { FileView } from "@posthorn/core";
import type { WireReply } from "../../contract/wire-request.ts";
import { jsonHeaders } from "./error-response.ts";
import { withBlankLines } from "./with-blank-lines.ts";

/**
 * Responds with a file from an unknown source: as a download that browsers don't display, and that could do nothing if
 * displayed.
 */
export function fileReply({ filename, contentType, size, content }: FileView, requestId: string): WireReply {
  return {
    status: 200,
    headers: {
      ...jsonHeaders(requestId),
      "content-type": contentType,
      ...(size === undefined ? {} : { "content-length": String(size) }),
      "content-disposition": dispositionOf(filename),
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      // As of an event stream: middleware that makes one would keep the whole file.
      etag: `"${requestId}"`,
    },
    body: "",
    chunks: contentType === "application/x-ndjson" ? withBlankLines(content) : content,
  };
}

/** `Content-Disposition` (RFC 6266) with the name in ASCII, and in full. */
function dispositionOf(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9 ._()+-]/g, "_");
  const exact = encodeURIComponent(filename).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
