/** Whether the driver refused a statement because the host iterates over another one of the same handle. */
export const isIteratedOver = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("busy executing a query");

/** Says what the host must do, where the driver says only that its handle is busy. Returns any other error as it is. */
export const explainIteration = (error: unknown): unknown =>
  isIteratedOver(error)
    ? new TypeError(
        "the SQLite handle is in the middle of an iterate(), during which better-sqlite3 refuses other statements: read the rows by all(), or end the iteration before the call",
        { cause: error },
      )
    : error;
