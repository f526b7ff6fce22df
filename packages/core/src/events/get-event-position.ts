import { z } from "zod";
import { useCase } from "../calls/use-case.ts";

/** How far the log of events goes. */
export interface EventPosition {
  /** The id of the last event, 0 if there is none: a follower that starts after it sees each later event once. */
  lastId: number;
}

/** The event log's position: where to follow it from. */
export const getEventPosition = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  run: async ({ storage }): Promise<EventPosition> => ({ lastId: await storage.events.lastId() }),
});
