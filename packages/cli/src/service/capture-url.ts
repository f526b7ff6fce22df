/** Value of `SERVICE_SMTP_URL` that captures mail instead of sending it. */
export const captureUrl = "capture:";
