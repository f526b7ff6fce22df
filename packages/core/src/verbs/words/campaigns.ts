// Printed by `npm run verbs`. Do not edit.
export const campaignsWords = {
  "campaigns.create": "Creates a campaign, a draft until it is started (platform.md P9).",
  "campaigns.list": "The workspace's campaigns, newest first (platform.md P9).",
  "campaigns.get": "One campaign, with its recipients so far by outcome (platform.md P9).",
  "campaigns.update":
    "Replaces a campaign that has not begun, with all of its fields; its list stays, and so do its content and its files if they are left out. A scheduled campaign takes its template's present content, and begins at the time given here (platform.md P9).",
  "campaigns.delete":
    "Deletes a campaign that was never started, with its list of any length (platform.md P9).",
  "campaigns.addRecipients":
    "Adds recipients to a campaign that has not begun; recipients that are on its list already stay as they are (platform.md P9).",
  "campaigns.importRecipients":
    "Adds the recipients in a file to a campaign that has not begun, a thousand at a time: those added stay, even if a later line can't be read, and a file can be imported again (platform.md P9).",
  "campaigns.listRecipients":
    "A campaign's recipients in the order of its list, with the state of each; the e-mail itself has the rest (platform.md P9).",
  "campaigns.check":
    "Checks the whole list as if it were sent: reports missing values, suppressed recipients and how long it takes. Stores nothing (platform.md P9).",
  "campaigns.test":
    "Sends a campaign's content to one address, with its files, marked as a test, and counted against the quota (platform.md P9).",
  "campaigns.start":
    "Starts a draft: at its scheduled time, or at once. It takes its template's present content, and later changes to the template don't affect it (platform.md P9).",
  "campaigns.pause":
    "Pauses a running campaign: waiting e-mails stay, those that a worker has leased still go out (platform.md P9).",
  "campaigns.resume":
    "Resumes a paused campaign where it was: at its pace, as if no time had passed, and judged by bounces and complaints from now on (platform.md P9).",
  "campaigns.cancel":
    "Cancels a campaign for good: nothing more goes out, and waiting e-mails are cancelled in the background (platform.md P9).",
};
