import type { ReadContext } from "../../calls/use-case.ts";

/** How the service itself acts on a campaign's workspace. */
export type FeedingContext = ReadContext<"campaigns:write">;
