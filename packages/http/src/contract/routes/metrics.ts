import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { metricsWire } from "../wire/metrics.ts";

/** What became of mail, in numbers (platform.md P12). */
export const metricsRoutes = [
  route("GET /workspaces/current/metrics", useCases.metrics.get, {
    summary: "Read what became of mail, by time and domain",
    reply: metricsWire,
  }),
] as const;
