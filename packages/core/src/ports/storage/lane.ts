/** How urgently an e-mail waits: 0 the service's own mails and what is said to be urgent, 1 the usual, 2 what has time. */
export type Lane = 0 | 1 | 2;
