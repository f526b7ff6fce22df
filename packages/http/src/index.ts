export { type Credentials, credentialsFor } from "./authenticate.ts";
export {
  ApiError,
  type Client,
  type ClientOptions,
  createClient,
  type PageOf,
  type Reply,
  type RequestFields,
  type RequestOptions,
  type RouteSignature,
} from "./client.ts";
export { createDispatcher, type Dispatcher, type DispatcherOptions } from "./dispatch.ts";
export { errorStatuses } from "./error-response.ts";
export { type EventStreamOptions, streamPath } from "./event-stream.ts";
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from "./node.ts";
export { createOpenApi, type OpenApi } from "./open-api.ts";
export type { CaptureInbox, InboxMail, InboxMailDetail } from "./pages/capture-inbox.ts";
export type { Posthorn } from "./posthorn.ts";
export type { Envelope, Route } from "./route.ts";
export { routes } from "./routes/index.ts";
export { createServer, type PosthornServer, type ServerOptions } from "./server.ts";
export type { Method, Signature } from "./signature.ts";
export { toWebHandler, type WebHandler, type WebHandlerOptions } from "./web.ts";
export type { StreamSink, WireReply, WireRequest } from "./wire-request.ts";
