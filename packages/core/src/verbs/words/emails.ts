// Printed by `npm run verbs`. Do not edit.
export const emailsWords = {
  "emails.sendTemplate":
    "Accepts an e-mail from a template's active version (service.md, Sending with a template; decisions §7). Once the call returns, the e-mail is stored; started services, workers among them, deliver it.",
  "emails.send":
    "Accepts an e-mail whose content is in the call (decisions §7). Once the call returns, the e-mail is stored; started services, workers among them, deliver it.",
  "emails.sendBatch":
    "Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All of them or none, unless `onInvalid` is `skip`; a suppressed recipient does not affect the others.",
  "emails.dryRunSendTemplate":
    "Returns what `sendTemplate` would answer, with all reasons for a refusal. Stores nothing.",
  "emails.dryRunSend": "Returns what `send` would answer, with all reasons for a refusal. Stores nothing.",
  "emails.dryRunSendBatch":
    "Returns what `sendBatch` would answer, with all reasons for a refusal. Stores nothing.",
  "emails.getBatch":
    "Reads a batch's delivery status, counted from its e-mails that are still in the log (platform.md P2).",
  "emails.cancelBatch":
    "Cancels a batch's waiting e-mails and returns their number (platform.md P2). Their quota is not given back.",
  "emails.list":
    "Lists the workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those of every workspace.",
  "emails.get":
    "Reads an e-mail with its recipients' states, its attempts and its timeline (decisions §7). With the workspace `all`, for administrators, an e-mail of any workspace or of the service itself, including what the operator's mail servers replied about themselves.",
  "emails.cancel":
    "Cancels an e-mail that still waits (decisions §7; platform.md P4). Throws `not_cancellable` if a worker has leased it, if it is settled, or if a mail server may have accepted it. One that some recipients got is partially sent. Its quota is not given back.",
  "emails.reschedule":
    "Reschedules an e-mail that still waits (platform.md P4). Throws `not_cancellable` if a worker has leased it or it is settled, and `deadline_passed` for a time after its deadline. One that `when_limited` charged to a later hour is sent in that hour at the earliest.",
  "emails.retry":
    "Queues a failed e-mail again, for the recipients that did not get it (platform.md P4). Throws `not_retryable` if it did not fail, its content is removed, or its deadline has passed, and `all_recipients_suppressed` if each of these recipients is suppressed. With the workspace `all`, for administrators, an e-mail of any workspace.",
  "emails.getContent":
    "Reads an e-mail's content, rendered as it is transmitted, without additions made at that time, such as signatures. Refuses sealed content, such as that of sensitive e-mails, and content that was removed (`content_unavailable`).",
  "emails.getAttachment":
    "Reads the content of one of an e-mail's files (platform.md P3). It is read after the call, during iteration.",
};
