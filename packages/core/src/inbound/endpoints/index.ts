import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { listEndpoints } from "./list-endpoints.ts";

/** Endpoints for relays' own webhooks. */
export const inboundEndpoints = {
  create: createEndpoint,
  list: listEndpoints,
  delete: deleteEndpoint,
} as const;
