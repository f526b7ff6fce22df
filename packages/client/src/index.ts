export { ApiError, type ApiErrorOptions, type ErrorCode, type FieldFault } from "./api-error.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type DryRunOf,
  type Item,
  type Mail,
  type Reply,
  type RequestFields,
  type RequestOptions,
  type RouteSignature,
  type TriedSignature,
} from "./client.ts";
export type { Contract } from "./contract/index.ts";
export type * from "./contract/schemas.ts";
export type { PageOf } from "./page-of.ts";
