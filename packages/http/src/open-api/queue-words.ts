/** Descriptions of the fields of the queue's status, by schema and field. */
export const queueWords: Readonly<Record<string, string>> = {
  "QueueChange.changed": "Whether the call changed anything.",
  "QueueHold.owner":
    "Whose hold it is. `operator`: until the route is resumed. `campaign`: until the paused campaign is resumed, or the cancelled one's e-mails are cancelled. `server`: until the mail server is tried again.",
  "QueueHold.until": "Time at which the hold ends; null if its owner ends it.",
  "QueueRoute.due": "E-mails that could be sent now.",
  "QueueRoute.holds": "Why delivery is held: at most one hold of each owner, none if it is not held.",
  "QueueRoute.leased": "E-mails that a worker has leased.",
  "QueueRoute.oldest_due_at": "Due time of the e-mail that is due longest; null if none is due.",
  "QueueRoute.route":
    "Name of the route: `w:7` is workspace 7 on the operator's server, `service` the service's own e-mails.",
  "QueueRoute.waiting": "E-mails that are due later.",
  "QueueRoute.workspace_id": "Id of the workspace whose e-mails wait; null for the service's own.",
  "QueueStatus.due": "E-mails that could be sent now.",
  "QueueStatus.failures": "Recent failures, newest first: at most 10, of the last 500 events.",
  "QueueStatus.leased": "E-mails that a worker has leased.",
  "QueueStatus.oldest_due_at": "Due time of the e-mail that is due longest; null if none is due.",
  "QueueStatus.paused": "Whether all delivery is paused.",
  "QueueStatus.paused_at": "Time of the pause; null if delivery is not paused.",
  "QueueStatus.routes":
    "Routes that are held or on which e-mails wait: at most 100, held ones first, then the longest due.",
  "QueueStatus.suppressed": "Recipients of accepted e-mails who got none because they are suppressed.",
  "QueueStatus.totals":
    "Recipients by outcome since the database was created: the difference of two readings gives a rate.",
  "QueueStatus.waiting": "E-mails that are due later.",
  "QueueStatus.webhooks": "Deliveries to webhooks.",
  "QueueWebhooks.pending": "Deliveries that are due, due later, or being attempted.",
  "QueueWebhooks.oldest_due_at":
    "Due time of the delivery that is due longest to a webhook whose endpoint works and is not slow; null if none is.",
  "QueueStatus.workers": "Workers that deliver, the last seen first.",
  "Worker.id": "Id of the process, new at every start.",
  "Worker.seen_at": "Time of the last heartbeat.",
  "QueueChange.dropped": "Number of e-mails cancelled before delivery was resumed.",
  "QueueStatus.restored_from":
    "If the database is a copy from which nothing was delivered yet: time of the copy; else null.",
  "QueueWebhook.due": "Deliveries that are due now.",
  "QueueWebhook.error": "Why the last attempt failed; null if it did not.",
  "QueueWebhook.failures": "Number of consecutive failed attempts.",
  "QueueWebhook.host": "Host of its URL.",
  "QueueWebhook.oldest_due_at": "Due time of the delivery that is due longest; null if none is due.",
  "QueueWebhook.paused_until": "End of the pause that its endpoint asked for; null without one.",
  "QueueWebhook.state":
    "How its endpoint does: `off` is switched off, `paused` asked for a pause, of `failing` ones the last attempt failed, `slow` ones took longer than 2.5 s, and the others are `working`.",
  "QueueWebhook.waiting": "Deliveries that are due later, or being attempted.",
  "QueueWebhook.webhook_id": "The webhook's id.",
  "QueueWebhooks.endpoints": "Webhooks that deliveries wait for: at most 100, the longest due first.",
};
