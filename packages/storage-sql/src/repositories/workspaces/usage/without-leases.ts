import type { QuotaLeases } from "../../../engine.ts";

/** For a host's transactions, which may stay open for long: they charge the counters, and recall leases as needed. */
export const withoutLeases: QuotaLeases = {
  take: () => new Set(),
  spend: async () => {},
  want: () => {},
  setAside: async () => false,
  forget: () => {},
  forgetAfter: () => {},
};
