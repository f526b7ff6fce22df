/** Exports for hosts. Exports for our other packages are in `internal.ts`. */

// Serving: within the host's server, or as a server of its own.

export type { DevelopmentHome } from "./pages/home-page.ts";
export type { CaptureInbox, InboxMail, InboxMailDetail } from "./pages/inbox/capture-inbox.ts";
export type {
  PreviewedTemplate,
  RenderedTemplate,
  TemplatePreviews,
} from "./pages/previews/template-previews.ts";
export type { ReferenceProgram } from "./pages/reference-page.ts";
export type { HostLoginOptions } from "./server/callers/host-login.ts";
export type { DispatcherOptions } from "./server/dispatch.ts";
export type { EventStreamOptions } from "./server/event-stream/event-stream.ts";
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from "./server/node.ts";
export { type ErrorBody, type ErrorResponse, errorResponse } from "./server/replies/error-response.ts";
export type { ServedPosthorn } from "./server/served-posthorn.ts";
export {
  createPosthornServer,
  type PosthornServer,
  type RefusedRequest,
  type ServerOptions,
} from "./server/server.ts";
export { toWebHandler, type WebHandler, type WebHandlerOptions } from "./server/web.ts";

// Routes of the host's own, and the document that describes all routes.

export { type Envelope, type Route, type RouteOptions, route, type Wire, wire } from "./contract/route.ts";
export { routes } from "./contract/routes/index.ts";
export type { Method, Signature } from "./contract/signature.ts";
export type { OpenApi } from "./open-api/document.ts";
export { createOpenApi } from "./open-api/open-api.ts";
