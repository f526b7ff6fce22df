// Printed by `npm run docs:routes` from the table of routes.
import type { QueueChange, QueueStatus } from "./schemas.ts";

/** Lines of the contract about admin queue. */
export interface AdminQueueLines {
  /** Read the queue's status. */
  "GET /admin/queue": {
    fields: Record<never, never>;
    reply: QueueStatus;
  };
  /** Pause delivery of all routes or one. */
  "POST /admin/queue/pause": {
    fields: {
      /** The route by its name, such as `w:7` for workspace 7; without it, or with `*`, all. */
      route?: string | undefined;
      /** Why, for whoever looks at the queue. */
      reason?: string | undefined;
    };
    reply: QueueChange;
  };
  /** Resume delivery of all routes or one. */
  "POST /admin/queue/resume": {
    fields: {
      /** The route by its name, such as `w:7` for workspace 7; without it, or with `*`, all. */
      route?: string | undefined;
      /**
       * Of a restored copy: cancels what fell due before, as it may have been sent since, and pauses campaigns that went
       * on then; ISO 8601 with an offset.
       */
      drop_due_before?: string | undefined;
    };
    reply: QueueChange;
  };
}
