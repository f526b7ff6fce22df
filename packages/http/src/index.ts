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
} from "./client/client.ts";
export type { Envelope, Route } from "./contract/route.ts";
export { routes } from "./contract/routes/index.ts";
export type { Method, Signature } from "./contract/signature.ts";
export type { StreamSink, WireReply, WireRequest } from "./contract/wire-request.ts";
export { createOpenApi, type OpenApi } from "./open-api/open-api.ts";
export type { CaptureInbox, InboxMail, InboxMailDetail } from "./pages/capture-inbox.ts";
export { type Credentials, credentialsFor } from "./server/authenticate.ts";
export { createDispatcher, type Dispatcher, type DispatcherOptions } from "./server/dispatch.ts";
export { errorStatuses } from "./server/error-response.ts";
export { type EventStreamOptions, streamPath } from "./server/event-stream.ts";
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from "./server/node.ts";
export type { Posthorn } from "./server/posthorn.ts";
export { createServer, type PosthornServer, type ServerOptions } from "./server/server.ts";
export { toWebHandler, type WebHandler, type WebHandlerOptions } from "./server/web.ts";
