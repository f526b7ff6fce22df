/** A request's target, taken apart. */
export interface Target {
  /** Begins with a slash; still percent-encoded. */
  path: string;
  /** Without its question mark. */
  query: string;
}

const maxLength = 8192;

/**
 * Takes a request's target apart by hand: `new URL` throws on `//` and takes another host out of `//host/path`. `undefined` for
 * what is no plain path: absolute forms, `*`, control characters.
 */
export function readTarget(target: string): Target | undefined {
  if (target.length > maxLength || target[0] !== "/" || target[1] === "/") return undefined;
  if (/[^\x21-\x7e]/.test(target)) return undefined;
  const hash = target.indexOf("#");
  const end = hash < 0 ? target.length : hash;
  const mark = target.indexOf("?");
  if (mark < 0 || mark > end) return { path: target.slice(0, end), query: "" };
  return { path: target.slice(0, mark), query: target.slice(mark + 1, end) };
}
