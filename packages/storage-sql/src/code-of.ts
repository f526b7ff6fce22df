/** Returns the code of a driver's error, such as SQLSTATE, or Node's of a network error; empty if it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
