/** The fields of an error that name no person and no secret: of Node's, of PostgreSQL's and of SQLite's errors. */
const harmless = [
  "code",
  "errno",
  "syscall",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
] as const;

/** How deep causes are followed, so that a circle of them ends. */
const maxDepth = 5;

/**
 * Returns an error as a log may hold it: its name, message, stack and causes, and of its fields the harmless ones.
 * Loggers such as pino write every field that an error has, and libraries leave much on theirs: pg its whole client,
 * and in `detail` the values of a refused row; HTTP clients the request with its credentials.
 */
export function toldError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === "object" && error !== null ? String(error) : error;
  const { message, name, stack, cause } = error;
  const errors: unknown = Object(error).errors; // an AggregateError's, as of a host name with several addresses
  const told: Error = Object.setPrototypeOf(new Error(message), Object.getPrototypeOf(error)); // its class is told, too
  for (const field of harmless) {
    const value: unknown = Object(error)[field];
    if (typeof value === "string" || typeof value === "number") Object.assign(told, { [field]: value });
  }
  const hide = (field: string, value: unknown): void =>
    void Object.defineProperty(told, field, { configurable: true, writable: true, enumerable: false, value });
  hide("name", name);
  hide("stack", stack);
  // Loggers that write JSON and know no errors, such as winston, would write `{}`.
  hide("toJSON", (): object => ({ ...told, name, message, stack: told.stack, cause: told.cause }));
  if (depth === maxDepth) return told;
  const within = (each: unknown): unknown => toldError(each, depth + 1);
  if (cause !== undefined) hide("cause", within(cause));
  if (Array.isArray(errors)) hide("errors", errors.slice(0, 10).map(within));
  return told;
}
