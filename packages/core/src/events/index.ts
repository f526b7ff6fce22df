import { getEventPosition } from "./get-event-position.ts";
import { listEvents } from "./list-events.ts";

/** Events of the platform. */
export const events = { list: listEvents, getPosition: getEventPosition } as const;
