// Printed by `npm run verbs`. Do not edit.
export const inboundEndpointsWords = {
  "inboundEndpoints.create":
    "Makes a place for a relay's webhooks to come to. Its path is shown this once, and so is the signing secret where we made it (platform.md P7).",
  "inboundEndpoints.list": "The places that relays' webhooks come to, newest first (platform.md P7).",
  "inboundEndpoints.delete": "Takes no more webhooks at this place (platform.md P7).",
};
