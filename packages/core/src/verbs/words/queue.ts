// Printed by `npm run verbs`. Do not edit.
export const queueWords = {
  "queue.status": "How full the queue is, which routes are held and why, and who works on it.",
  "queue.pause":
    "Holds the delivery of e-mails, or of one route's; whether it was not held for good already. What is under way is finished.",
  "queue.resume":
    "Delivers e-mails again, or those of one route; whether it was held, and how many e-mails were cancelled before.",
  "queue.checkRestored":
    "Takes the database for a copy that was restored, such as by pg_restore: holds all delivery until `resume`, and tells what waits. Call it before anything delivers. For copies that `posthorn backup` made, it is done already.",
};
