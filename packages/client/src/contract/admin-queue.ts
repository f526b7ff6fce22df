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
      /** The route's name, such as `w:7` for workspace 7. Default `*`, for all routes. */
      route?: string | undefined;
      /** The reason, shown in the queue's status. */
      reason?: string | undefined;
    };
    reply: QueueChange;
  };
  /** Resume delivery of all routes or one. */
  "POST /admin/queue/resume": {
    fields: {
      /** The route's name, such as `w:7` for workspace 7. Default `*`, for all routes. */
      route?: string | undefined;
      /**
       * For a restored backup: cancels e-mails that fell due before this time, as they may have been sent since, and
       * pauses campaigns that were running then. ISO 8601 with an offset.
       */
      drop_due_before?: string | undefined;
    };
    reply: QueueChange;
  };
}
