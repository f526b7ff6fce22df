// Printed by `npm run verbs`. Do not edit.
export const emailsWords = {
  "emails.sendTemplate":
    "Accepts an e-mail made from a template's active version (service.md, Sending with a template; decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.send":
    "Accepts an e-mail whose content is given as it stands (decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.sendBatch":
    "Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All of them or none, unless `onInvalid` is `skip`; a suppressed recipient refuses nobody else.",
  "emails.dryRunSendTemplate":
    "What `sendTemplate` would answer, with everything that stands against it. Keeps nothing.",
  "emails.dryRunSend": "What `send` would answer, with everything that stands against it. Keeps nothing.",
  "emails.dryRunSendBatch":
    "What `sendBatch` would answer, with everything that stands against it. Keeps nothing.",
  "emails.getBatch":
    "What became of a batch, counted from its e-mails as far as the log has them (platform.md P2).",
  "emails.cancelBatch":
    "Takes back what of a batch still waits; how many e-mails (platform.md P2). What they were charged is not given back.",
  "emails.list":
    "The workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those of every workspace.",
  "emails.get":
    "One e-mail with its recipients' states, its attempts and all that happened to it (decisions §7). With the workspace `all`, for administrators, one of any workspace or of the service itself, with what its mail servers said of themselves.",
  "emails.cancel":
    "Takes an e-mail back that still waits (decisions §7; platform.md P4). Throws `not_cancellable` for one that a worker has, that is settled, or that a mail server may have taken. What it was charged is not given back.",
  "emails.reschedule":
    "Sends an e-mail that still waits at another time (platform.md P4). Throws `not_cancellable` for one that a worker has or that is settled, and `deadline_passed` for a time after its deadline.",
  "emails.retry":
    "Puts a failed e-mail back into the queue, for the recipients that did not get it (platform.md P4). Throws `not_retryable` for one that did not fail, that is kept no longer, or that is of use no more. With the workspace `all`, for administrators, one of any workspace.",
  "emails.getContent":
    "What an e-mail says, rendered as it is handed over; what is added at that moment, such as signatures, is not there. Refuses what is sealed, such as e-mails that were sent as sensitive, and what is kept no longer (`content_unavailable`).",
  "emails.getAttachment":
    "The content of one of an e-mail's files (platform.md P3). It is read when it is iterated over, after the call.",
};
