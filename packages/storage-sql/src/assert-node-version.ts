/**
 * Throws below Node 22.19. There better-sqlite3 would crash the process with a segmentation fault, so that it must not be
 * loaded before, and the first connection to PostgreSQL would fail for want of a function.
 */
export function assertNodeVersion(database: "SQLite" | "PostgreSQL"): void {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new Error(`Posthorn's ${database} storage needs Node 22.19 or newer, and this is ${node}`);
}
