import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { metricsWire } from "../wire/metrics.ts";

/** Routes of delivery figures (platform.md P12). */
export const metricsRoutes = [
  route("GET /workspaces/current/metrics", useCases.metrics.get, {
    summary: "Read delivery metrics by time and domain",
    reply: metricsWire,
  }),
] as const;
