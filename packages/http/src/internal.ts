/** What our own packages and tests share with http beyond what a host uses. It may change with any version. */
export { type Credentials, credentialsFor } from "./server/authenticate.ts";
export { errorStatuses } from "./server/error-response.ts";
export { streamPath } from "./server/event-stream.ts";
