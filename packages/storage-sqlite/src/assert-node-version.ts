/** Throws below Node 22.19: better-sqlite3 would end the process with a segmentation fault there. */
export const assertNodeVersion = (version: string): void => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new Error(`Posthorn's SQLite storage needs Node 22.19 or newer, and this is ${version}`);
};
