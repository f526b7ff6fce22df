import { emails } from "./emails/index.ts";

/** Everything the service can do, by aggregate and verb. */
export const useCases = {
  emails,
} as const;
