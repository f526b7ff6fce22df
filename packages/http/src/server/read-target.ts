/** A request's target, taken apart. */
export interface Target {
  /** Begins with a slash; still percent-encoded. */
  path: string;
  /** Without its question mark. */
  query: string;
}

const maxLength = 8192;

/**
 * Parses a request's target without `new URL`, which throws on `//` and takes another host from `//host/path`.
 * `undefined` unless it is a plain path: for absolute forms, `*` and control characters.
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
