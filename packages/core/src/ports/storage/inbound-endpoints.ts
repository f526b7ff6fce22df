import type { Listing, Slice } from "./paging.ts";

/** Provider whose webhooks an endpoint receives. */
export type InboundProvider = "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";

/** An endpoint that receives a relay's webhooks. */
export interface InboundEndpoint {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The provider whose webhooks it receives. */
  provider: InboundProvider;
  /** The encrypted secret that authenticates its requests; `undefined` if the provider's own certificate does. */
  secret: string | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
}

/** Endpoints that relays report to, each a secret path of one workspace. */
export interface InboundEndpoints {
  /** Inserts an endpoint under the digest of its secret path. */
  insert(endpoint: InboundEndpoint & { tokenDigest: string }): Promise<void>;
  /** Finds an endpoint by the digest of its path. */
  findByToken(tokenDigest: string): Promise<InboundEndpoint | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<InboundEndpoint>>;
  /** Deletes an endpoint and returns it. */
  delete(workspaceId: number, id: string): Promise<InboundEndpoint | undefined>;
}
