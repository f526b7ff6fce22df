export { ApiError, type ApiErrorCode, type ApiErrorOptions, type ApiFieldFault } from "./api-error.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type DryRunOf,
  type FileSignature,
  type Item,
  type Mail,
  type Reply,
  type RequestFields,
  type RequestOptions,
  type RouteSignature,
  type TriedSignature,
} from "./client.ts";
export type { Contract } from "./contract/index.ts";
export type { WebhookEvent } from "./contract/schemas.ts";
export type { ClientFollowOptions, FollowFields } from "./follow-events.ts";
export type { PageOf } from "./page-of.ts";
export { type ReceivedWebhook, readWebhook } from "./read-webhook.ts";
