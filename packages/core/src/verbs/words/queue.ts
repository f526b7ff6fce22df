// Printed by `npm run verbs`. Do not edit.
export const queueWords = {
  "queue.status":
    "Returns the queue's status: its size, the routes that are held and why, and the workers that deliver.",
  "queue.pause":
    "Pauses delivery of all e-mails, or of one route's. Returns whether this changed anything. Attempts in progress are finished.",
  "queue.resume":
    "Resumes delivery of all e-mails, or of one route's. Returns whether it was paused, and how many e-mails were cancelled before.",
  "queue.checkRestored":
    "Treats the database as a restored copy, for example of pg_restore: pauses all delivery until `resume`, assigns none of the ids that the original may have assigned since, and returns how many e-mails wait. Call it before anything delivers. Copies made by `posthorn backup` are paused already.",
};
