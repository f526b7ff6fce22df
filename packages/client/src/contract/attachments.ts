// Printed by `npm run docs:routes` from the table of routes.
import type { Attachment } from "./schemas.ts";

/** Lines of the contract about attachments. */
export interface AttachmentsLines {
  /** Upload a file for sends to refer to. */
  "POST /attachments": {
    fields: {
      /** The file's name, at most 255 bytes; of a path only the last part is kept. */
      filename: string;
      /** The file. */
      content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;
      /** Its media type. Default: by the name's extension. */
      content_type?: string | undefined;
      /** Bytes, where a stream's are known beforehand. */
      size?: number | undefined;
    };
    reply: Attachment;
  };
  /** Upload a file for campaigns to refer to. */
  "POST /workspaces/current/attachments": {
    fields: {
      /** The file's name, at most 255 bytes; of a path only the last part is kept. */
      filename: string;
      /** The file. */
      content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;
      /** Its media type. Default: by the name's extension. */
      content_type?: string | undefined;
      /** Bytes, where a stream's are known beforehand. */
      size?: number | undefined;
    };
    reply: Attachment;
  };
  /** Read an uploaded file's metadata. */
  "GET /attachments/{id}": {
    fields: {
      /** The uploaded file's id, a UUID. */
      id: string | number;
    };
    reply: Attachment;
  };
  /** Delete an uploaded file. */
  "DELETE /attachments/{id}": {
    fields: {
      /** The uploaded file's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
}
