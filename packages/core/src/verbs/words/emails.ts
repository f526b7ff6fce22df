// Printed by `npm run verbs`. Do not edit.
export const emailsWords = {
  "emails.sendTemplate":
    "Accepts an e-mail from a template's active version (service.md, Sending with a template; decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.send":
    "Accepts an e-mail with its content in the call (decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.sendBatch":
    "Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All of them or none, unless `onInvalid` is `skip`; a suppressed recipient refuses nobody else.",
  "emails.dryRunSendTemplate":
    "What `sendTemplate` would answer, with everything that would refuse it. Stores nothing.",
  "emails.dryRunSend": "What `send` would answer, with everything that would refuse it. Stores nothing.",
  "emails.dryRunSendBatch": "What `sendBatch` would answer, with all reasons for a refusal. Stores nothing.",
  "emails.getBatch":
    "A batch's delivery status, counted from its e-mails that are still in the log (platform.md P2).",
  "emails.cancelBatch":
    "Cancels a batch's waiting e-mails and returns their number (platform.md P2). Their quota is not given back.",
  "emails.list":
    "The workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those of every workspace.",
  "emails.get":
    "One e-mail with its recipients' states, its attempts and its timeline (decisions §7). With the workspace `all`, for administrators, one of any workspace or of the service itself, with what its mail servers said of themselves.",
  "emails.cancel":
    "Cancels an e-mail that still waits (decisions §7; platform.md P4). Throws `not_cancellable` for one that a worker has leased, that is settled, or that a mail server may have taken. Its quota is not given back.",
  "emails.reschedule":
    "Reschedules an e-mail that still waits (platform.md P4). Throws `not_cancellable` for one that a worker has leased or that is settled, and `deadline_passed` for a time after its deadline.",
  "emails.retry":
    "Queues a failed e-mail again, for the recipients that did not get it (platform.md P4). Throws `not_retryable` for one that did not fail, whose content is removed, or whose deadline has passed. With the workspace `all`, for administrators, one of any workspace.",
  "emails.getContent":
    "An e-mail's content, rendered as it is handed over, without additions of that moment, such as signatures. Refuses sealed content, such as that of sensitive e-mails, and content that was removed (`content_unavailable`).",
  "emails.getAttachment":
    "The content of one of an e-mail's files (platform.md P3). It is read when it is iterated over, after the call.",
};
