// Printed by `npm run verbs`. Do not edit.
export const inboundEndpointsWords = {
  "inboundEndpoints.create":
    "Creates an endpoint for a relay's webhooks. Its path is shown only once, and so is the signing secret if it was generated (platform.md P7).",
  "inboundEndpoints.list": "Lists the endpoints for relays' webhooks, newest first (platform.md P7).",
  "inboundEndpoints.delete": "Deletes an endpoint: its webhooks are refused from now on (platform.md P7).",
};
