/** Urgency of an e-mail: 0 for the service's own mails and those submitted as urgent, 1 normal, 2 low. */
export type Lane = 0 | 1 | 2;
