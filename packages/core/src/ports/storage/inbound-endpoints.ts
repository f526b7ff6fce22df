/** Whose webhooks an endpoint takes. */
export type InboundProvider = "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";

/** A place that a relay's webhooks come to. */
export interface InboundEndpoint {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** Whose webhooks it takes. */
  provider: InboundProvider;
  /** What its calls are checked with, sealed; `undefined` where the provider's own certificate does. */
  secret: string | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
}

/** Where relays report to, each a secret path of one workspace. */
export interface InboundEndpoints {
  /** Keeps a new one under the digest of its secret path. */
  insert(endpoint: InboundEndpoint & { tokenDigest: string }): Promise<void>;
  /** The one under the digest of a path. */
  findByToken(tokenDigest: string): Promise<InboundEndpoint | undefined>;
  /** Newest first. */
  list(workspaceId: number): Promise<InboundEndpoint[]>;
  /** The one that was removed. */
  delete(workspaceId: number, id: string): Promise<InboundEndpoint | undefined>;
}
