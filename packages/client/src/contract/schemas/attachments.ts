// Printed by `npm run docs:routes` from the table of routes.

/** `Attachment` of the API. */
export interface Attachment {
  /** Its id. */
  id: string;
  /** The name that it is sent by. */
  filename: string;
  /** Its media type, such as `application/pdf`. */
  content_type: string;
  /** Bytes. */
  size: number;
  /** The content's hash, as `sha256:` and 64 hex digits: equal files have the same. */
  digest: string;
  /** When it was made. */
  created_at: string;
  /** When no send can refer to it any more; each send prolongs it. */
  expires_at: string;
}
