// Printed by `npm run verbs`. Do not edit.
export const queueWords = {
  "queue.status":
    "The queue's status: how full it is, which routes are held and why, and which workers deliver.",
  "queue.pause":
    "Pauses the delivery of all e-mails, or of one route's, and returns whether that changed anything. Attempts in progress are finished.",
  "queue.resume":
    "Resumes the delivery of all e-mails, or of one route's, and returns whether it was held, and how many e-mails were cancelled first.",
  "queue.checkRestored":
    "Treats the database as a restored copy, such as by pg_restore: holds all delivery until `resume`, and returns how many e-mails wait. Call it before anything delivers. Copies made by `posthorn backup` are held already.",
};
