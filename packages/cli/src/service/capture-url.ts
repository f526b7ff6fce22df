/** The value of `SERVICE_SMTP_URL` that keeps mail instead of sending it. */
export const captureUrl = "capture:";
