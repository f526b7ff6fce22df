import { useCases } from "@posthorn/core";
import { route } from "../route.ts";
import { inboundReportDetailsWire, inboundReportWire } from "../wire/inbound.ts";

const { inbound } = useCases;

const feeding = {
  status: 202,
  // As JSON, a message of 1 MiB may take twice that.
  maxBytes: 2 * 1024 * 1024,
  raw: { type: "message/rfc822", field: "message" },
  reply: inboundReportWire,
} as const;

/** Bounces and complaints (platform.md P7). */
export const inboundRoutes = [
  route("POST /emails/inbound", inbound.feedByKey, {
    ...feeding,
    summary: "Hand in a message that came back",
  }),
  route("POST /workspaces/current/inbound", inbound.feed, {
    ...feeding,
    summary: "Hand in a message that came back, as a person",
  }),
  route("GET /workspaces/current/inbound-reports", inbound.list, {
    summary: "List what came back",
    envelope: "page",
    reply: inboundReportWire,
  }),
  route("GET /workspaces/current/inbound-reports/{id}", inbound.get, {
    summary: "Read a message that came back",
    params: { id: "reportId" },
    reply: inboundReportDetailsWire,
  }),
] as const;
