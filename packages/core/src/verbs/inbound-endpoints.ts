// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { CreatedInboundEndpoint } from "../inbound/endpoints/create-endpoint.ts";
import type { InboundEndpointView } from "../inbound/endpoints/endpoint-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateEndpointInput {
  /** Provider of the webhooks: ses, postmark, sendgrid, mailgun, resend or generic. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /**
   * Secret for verifying the provider's requests: postmark's user:password with a password of at least 12 characters,
   * the keys of sendgrid and mailgun, the secret of resend or generic; for ses the only topic that is accepted.
   */
  secret?: string | undefined;
}

/** What `list` takes. */
export interface ListEndpointsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteEndpointInput {
  /** The endpoint's id, a UUID. */
  endpointId: string;
}

/** Endpoints for relays' own webhooks. */
export interface InboundEndpointsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates an endpoint for a relay's webhooks. Its path is shown only once, and so is the signing secret if it was
   * generated (platform.md P7).
   *
   * May refuse with `plan_limit_reached`.
   */
  create(this: void, input: CreateEndpointInput, ...call: K["workspace"]): Promise<CreatedInboundEndpoint>;
  /** Lists the endpoints for relays' webhooks, newest first (platform.md P7). */
  list(this: void, input?: ListEndpointsInput, ...call: K["workspace"]): Promise<Page<InboundEndpointView>>;
  /** Deletes an endpoint: its webhooks are refused from now on (platform.md P7). */
  delete(this: void, input: DeleteEndpointInput, ...call: K["workspace"]): Promise<void>;
}
