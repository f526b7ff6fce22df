// Printed by `npm run verbs`. Do not edit.
export const campaignsWords = {
  "campaigns.create":
    "Creates a campaign, which is a draft until it is started (platform.md P9). A template that it names must exist, here and again at the start.",
  "campaigns.list": "Lists the workspace's campaigns, newest first (platform.md P9).",
  "campaigns.get": "Reads a campaign, with its recipients so far by outcome (platform.md P9).",
  "campaigns.update":
    "Replaces all fields of a campaign that has not begun; its list stays, and so do its content and its files if they are left out. A scheduled campaign takes its template's current content, and begins at the time given here (platform.md P9).",
  "campaigns.delete":
    "Deletes a campaign that was never started, with its list of any length (platform.md P9).",
  "campaigns.addRecipients":
    "Adds recipients to a campaign that has not begun; those who are already on its list stay unchanged (platform.md P9).",
  "campaigns.importRecipients":
    "Adds the recipients in a file to a campaign that has not begun, a thousand at a time. Those already added stay, even if a later line can't be read, and a file can be imported again (platform.md P9). One event tells of all that were added.",
  "campaigns.listRecipients":
    "Lists a campaign's recipients in the order of its list, with the state of each; the e-mail itself has further details (platform.md P9).",
  "campaigns.check":
    "Checks the whole list as if it were sent: reports missing values, suppressed recipients and the expected duration. Stores nothing (platform.md P9).",
  "campaigns.test":
    "Sends a campaign's content with its files to one address, marked as a test and counted against the quota (platform.md P9).",
  "campaigns.start":
    "Starts a draft: at its scheduled time, or at once. It uses its template's current content, and later changes to the template don't affect it (platform.md P9).",
  "campaigns.pause":
    "Pauses a running campaign: waiting e-mails stay in the queue, those on their way to a mail server are still sent (platform.md P9).",
  "campaigns.resume":
    "Resumes a paused campaign: at its pace, as if no time had passed, and judged by bounces and complaints from now on (platform.md P9).",
  "campaigns.cancel":
    "Cancels a campaign for good: nothing more is sent, and waiting e-mails are cancelled in the background (platform.md P9).",
};
