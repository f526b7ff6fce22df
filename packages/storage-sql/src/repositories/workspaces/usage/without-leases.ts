import type { QuotaLeases } from "../../../engine.ts";

/** For transactions of a host's, which may stay open: they charge the counters, and recall what they need. */
export const withoutLeases: QuotaLeases = {
  take: () => new Set(),
  spend: async () => {},
  want: () => {},
  forget: () => {},
  forgetAfter: () => {},
};
