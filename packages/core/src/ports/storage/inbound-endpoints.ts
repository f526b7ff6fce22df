/** Whose webhooks an endpoint takes. */
export type InboundProvider = "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";

/** A place that a relay's webhooks come to. */
export interface InboundEndpoint {
  id: string;
  workspaceId: number;
  provider: InboundProvider;
  /** What its calls are checked with, sealed; `undefined` where the provider's own certificate does. */
  secret: string | undefined;
  createdAt: number;
}

/** Where relays report to, each a secret path of one workspace. */
export interface InboundEndpoints {
  insert(endpoint: InboundEndpoint & { tokenDigest: string }): Promise<void>;
  findByToken(tokenDigest: string): Promise<InboundEndpoint | undefined>;
  /** Newest first. */
  list(workspaceId: number): Promise<InboundEndpoint[]>;
  /** The one that was removed. */
  delete(workspaceId: number, id: string): Promise<InboundEndpoint | undefined>;
}
