// Printed by `npm run verbs`. Do not edit.
export const campaignsWords = {
  "campaigns.create": "Makes a campaign, a draft until it is started (platform.md P9).",
  "campaigns.list": "The workspace's campaigns, newest first (platform.md P9).",
  "campaigns.get": "One campaign, with what became of its recipients so far (platform.md P9).",
  "campaigns.update":
    "Says a campaign anew, with all of its fields, while it has not begun; its list stays, and so do what it says and its files where those are left out. One that is scheduled says from here on what its template says now, and begins at the time that is said here (platform.md P9).",
  "campaigns.delete":
    "Deletes a campaign that was never started, with its list, however long that is (platform.md P9).",
  "campaigns.addRecipients":
    "Adds recipients to a campaign that has not begun; whoever is on its list already stays as they are (platform.md P9).",
  "campaigns.importRecipients":
    "Puts those whom a file names on the list of a campaign that has not begun, a thousand at a time: who was added stays, also where a later line can't be read, and a file may come again (platform.md P9).",
  "campaigns.listRecipients":
    "Those on a campaign's list in its order, and what became of each; the e-mail itself tells the rest (platform.md P9).",
  "campaigns.check":
    "Goes through the whole list as if it were sent: tells what is missing, who is suppressed and how long it takes. Keeps nothing (platform.md P9).",
  "campaigns.test":
    "Sends what a campaign says to one address, with its files, marked as a test, and counted against the quota (platform.md P9).",
  "campaigns.start":
    "Starts a draft: at its time, or at once. From here on it says what its template says now, whatever becomes of the template (platform.md P9).",
  "campaigns.pause":
    "Pauses a running campaign: what waits stays, what is in a worker's hands still goes (platform.md P9).",
  "campaigns.resume":
    "Lets a paused campaign go on from where it was: at its pace, as if no time had passed, and judged by what comes back from now on (platform.md P9).",
  "campaigns.cancel":
    "Ends a campaign for good: nothing more goes out, and what waits is cancelled in the background (platform.md P9).",
};
