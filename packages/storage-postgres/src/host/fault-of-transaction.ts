/** SQLSTATEs by which the host's transaction, and not the server, is at fault: what it must be instead. */
const faults: Readonly<Record<string, string>> = {
  // A server without writes would be worth another try.
  "25006": "the host's transaction is read-only: begin it as READ WRITE, on a server that accepts writes",
  "42501":
    "the role of the host's transaction may not use Posthorn's tables: grant it what the service's own role needs, or begin as that",
  "42P01":
    "the host's transaction finds no table of Posthorn's: begin it on the database of the storage, on which migrate() was called",
};

/** Returns an error with the same code that says what to do, or `undefined` where the transaction is not at fault. */
export const faultOfTransaction = (error: unknown): Error | undefined => {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const words = typeof code === "string" ? faults[code] : undefined;
  if (words === undefined) return undefined;
  return Object.assign(new Error(`${words}: ${message}`, { cause: error }), { code });
};
