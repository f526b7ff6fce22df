// Printed by `npm run docs:routes` from the table of routes.

/** `Attachment` of the API. */
export interface Attachment {
  /** Id. */
  id: string;
  /** File name in the e-mail. */
  filename: string;
  /** Media type, such as `application/pdf`. */
  content_type: string;
  /** Size in bytes. */
  size: number;
  /** Hash of the content, as `sha256:` and 64 hex digits: equal files have the same. */
  digest: string;
  /** Time of creation. */
  created_at: string;
  /** Time after which sends can no longer refer to it; each send extends it. */
  expires_at: string;
}
