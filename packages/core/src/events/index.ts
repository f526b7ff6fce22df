import { listEvents } from "./list-events.ts";

/** The platform's events. */
export const events = { list: listEvents } as const;
