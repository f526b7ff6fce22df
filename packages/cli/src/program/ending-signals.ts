/**
 * Signals that ask for the end: a supervisor's, that of a terminal that closes, and SIGQUIT, by which nginx and its like
 * are asked to end gracefully, so that images and supervisors are set to send it.
 */
export const endingSignals = ["SIGTERM", "SIGQUIT", "SIGHUP"] as const;
