/** Shared between our own packages and tests, beyond what hosts use. It may change in any version. */
export { type Credentials, credentialsFor } from "./server/authenticate.ts";
export { errorStatuses } from "./server/error-response.ts";
export { streamPath } from "./server/event-stream.ts";
