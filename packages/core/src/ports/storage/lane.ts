/** Urgencies of e-mails: 0 for the service's own mails and those submitted as urgent, 1 normal, 2 low. */
export const lanes = [0, 1, 2] as const;

/** Urgency of an e-mail. */
export type Lane = (typeof lanes)[number];
