import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type Report = OutputOf<Core["inbound"]["feed"]>;
type Details = OutputOf<Core["inbound"]["get"]>;

const effectSchema = named(
  "InboundEffect",
  z.object({
    kind: z.enum(["bounce", "complaint", "delay"]),
    recipient: z.string(),
    class: z.string(),
    category: z.string(),
    effect: z.enum(["noted", "known", "suppressed"]),
  }),
);

const reportFields = {
  id: uuid.nullable(),
  kind: z.enum(["notification", "complaint", "auto_reply", "other"]),
  source: z.enum(["smtp", "dsn", "provider"]),
  matched: z.boolean(),
  email_id: uuid.nullable(),
  effects: z.array(effectSchema),
  created_at: timestamp,
};

/** An inbound report with its effects (platform.md P7). */
export const inboundReportWire = wire(named("InboundReport", z.object(reportFields)), (report: Report) => ({
  id: report.id ?? null,
  kind: report.kind,
  source: report.source,
  matched: report.matched,
  email_id: report.emailId ?? null,
  effects: report.effects.map(({ kind, recipient, class: of, category, effect }) => ({
    kind,
    recipient,
    class: of,
    category,
    effect,
  })),
  created_at: time(report.createdAt),
}));

/** Response to a submitted message. */
export const inboundFedWire = wire(
  named("InboundFed", z.object({ report: inboundReportWire.schema })),
  (report: Report) => ({ report: inboundReportWire.from(report) }),
);

/** An inbound report with its message. */
export const inboundReportDetailsWire = wire(
  named("InboundReportDetails", z.object({ ...reportFields, raw: z.string() })),
  (report: Details) => ({ ...inboundReportWire.from(report), raw: report.raw }),
);

type Endpoint = OutputOf<Core["inboundEndpoints"]["list"]>["items"][number];
type MadeEndpoint = OutputOf<Core["inboundEndpoints"]["create"]>;

const endpointFields = {
  id: uuid,
  provider: z.enum(["ses", "postmark", "sendgrid", "mailgun", "resend", "generic"]),
  created_at: timestamp,
};

/** An endpoint for a relay's webhooks (platform.md P7). */
export const inboundEndpointWire = wire(
  named("InboundEndpoint", z.object(endpointFields)),
  (endpoint: Endpoint) => ({
    id: endpoint.id,
    provider: endpoint.provider,
    created_at: time(endpoint.createdAt),
  }),
);

/** A new inbound endpoint, with the URL and secret that are shown only once. */
export const inboundEndpointMadeWire = wire(
  named(
    "InboundEndpointMade",
    z.object({ ...endpointFields, url: z.string(), secret: z.string().nullable() }),
  ),
  (endpoint: MadeEndpoint) => ({
    ...inboundEndpointWire.from(endpoint),
    url: endpoint.url,
    secret: endpoint.secret ?? null,
  }),
);

/** Response to a relay's webhook. */
export const inboundReceivedWire = wire(
  named("InboundReceived", z.object({ matched: integer })),
  ({ matched }: OutputOf<Core["inbound"]["receive"]>) => ({ matched }),
);
