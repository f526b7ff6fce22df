import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { queueChangeWire, queueWire } from "../wire/queue.ts";

const { queue } = useCases;

/** The queue of e-mails, for the platform's administrators. */
export const queueRoutes = [
  route("GET /admin/queue", queue.status, {
    summary: "Read how the queue stands, with what is held, who delivers and what failed of late",
    reply: queueWire,
  }),
  route("POST /admin/queue/pause", queue.pause, {
    summary: "Deliver no e-mail, or none of one route, until resumed",
    reply: queueChangeWire,
  }),
  route("POST /admin/queue/resume", queue.resume, {
    summary: "Deliver e-mails again, or those of one route",
    reply: queueChangeWire,
  }),
] as const;
