import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import {
  inboundEndpointMadeWire,
  inboundEndpointWire,
  inboundFedWire,
  inboundReceivedWire,
  inboundReportDetailsWire,
  inboundReportWire,
} from "../wire/inbound.ts";
import { noContent } from "../wire/schemas.ts";

const { inbound, inboundEndpoints } = useCases;

const feeding = {
  status: 202,
  // In JSON, a message of 1 MiB may take twice its size.
  maxBytes: 2 * 1024 * 1024,
  raw: { type: "message/rfc822", field: "message" },
  reply: inboundFedWire,
} as const;

/** Routes of bounces and complaints (platform.md P7). */
export const inboundRoutes = [
  route("POST /inbound/{provider}/{token}", inbound.receive, {
    summary: "Receive a relay's webhook",
    maxBytes: 4 * 1024 * 1024,
    raw: { type: "*", field: "body", headers: "headers" },
    reply: inboundReceivedWire,
  }),
  route("POST /workspaces/current/inbound-endpoints", inboundEndpoints.create, {
    summary: "Create an endpoint for a relay's webhooks",
    status: 201,
    reply: inboundEndpointMadeWire,
  }),
  route("GET /workspaces/current/inbound-endpoints", inboundEndpoints.list, {
    summary: "List endpoints for relays' webhooks",
    envelope: "page",
    reply: inboundEndpointWire,
  }),
  route("DELETE /workspaces/current/inbound-endpoints/{id}", inboundEndpoints.delete, {
    summary: "Delete an endpoint for a relay's webhooks",
    params: { id: "endpointId" },
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route("POST /emails/inbound", inbound.feed, {
    by: "api_key",
    ...feeding,
    summary: "Submit a bounce or complaint message",
  }),
  route("POST /workspaces/current/inbound", inbound.feed, {
    by: "inbound:write",
    takesKey: true,
    ...feeding,
    summary: "Submit a bounce or complaint message with a login or an API key",
  }),
  route("GET /workspaces/current/inbound-reports", inbound.list, {
    summary: "List inbound reports",
    envelope: "page",
    reply: inboundReportWire,
  }),
  route("GET /workspaces/current/inbound-reports/{id}", inbound.get, {
    summary: "Read an inbound report",
    params: { id: "reportId" },
    reply: inboundReportDetailsWire,
  }),
] as const;
