import { z } from "zod";
import { useCase } from "../calls/use-case.ts";

/** The position of the event log. */
export interface EventPosition {
  /** Id of the last event, 0 if there is none. A follower that starts after it sees each later event once. */
  lastId: number;
}

/** Returns the position of the event log, as a start for followers. */
export const getEventPosition = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  run: async ({ storage }): Promise<EventPosition> => ({ lastId: await storage.events.lastId() }),
});
