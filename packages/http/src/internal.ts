/** Exports for our other packages and tests, beyond those for hosts. They may change in any version. */
export { listedFields } from "./contract/listed-fields.ts";
export { webhookExample } from "./open-api/webhooks.ts";
export { type Credentials, credentialsFor } from "./server/authenticate.ts";
export { errorStatuses } from "./server/error-response.ts";
export { streamPath } from "./server/event-stream.ts";
