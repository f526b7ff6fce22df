import { getEventPosition } from "./get-event-position.ts";
import { listEvents } from "./list-events.ts";

/** The platform's events. */
export const events = { list: listEvents, getPosition: getEventPosition } as const;
