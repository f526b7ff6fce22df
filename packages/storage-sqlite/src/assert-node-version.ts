/** Throws below Node 22.19, where better-sqlite3 would crash the process with a segmentation fault. */
export const assertNodeVersion = (version: string): void => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new Error(`Posthorn's SQLite storage needs Node 22.19 or newer, and this is ${version}`);
};
