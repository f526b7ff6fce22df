/** Exports for our other packages and tests, beyond those for hosts. They may change in any version. */
export { listedFields } from "./contract/listed-fields.ts";
export { webhookExample } from "./open-api/webhooks.ts";
export { type Credentials, credentialsFor } from "./server/callers/authenticate.ts";
export { streamPath } from "./server/event-stream/event-stream.ts";
export { errorStatuses } from "./server/replies/error-response.ts";
