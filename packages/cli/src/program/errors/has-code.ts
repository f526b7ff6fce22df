/** Whether an error is a refusal with this code, of the service in this process or of a server. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
