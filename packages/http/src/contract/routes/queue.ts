import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { queueChangeWire, queueWire } from "../wire/queue.ts";

const { queue } = useCases;

/** Routes of the e-mail queue, for the platform's administrators. */
export const queueRoutes = [
  route("GET /admin/queue", queue.status, {
    summary: "Read the queue's status",
    reply: queueWire,
  }),
  route("POST /admin/queue/pause", queue.pause, {
    summary: "Pause delivery of all routes or one",
    reply: queueChangeWire,
  }),
  route("POST /admin/queue/resume", queue.resume, {
    summary: "Resume delivery of all routes or one",
    reply: queueChangeWire,
  }),
] as const;
