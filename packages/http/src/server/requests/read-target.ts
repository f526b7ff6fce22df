import { ServiceError } from "@posthorn/core";

/** The parts of a request's target. */
export interface Target {
  /** Path; begins with a slash, and is still percent-encoded. */
  path: string;
  /** Query without its question mark. */
  query: string;
}

const maxLength = 8192;

/** Message to a caller whose target is longer, with the status 414. */
export const urlTooLong = `The URL has more than ${maxLength} characters.`;

/** A target without scheme and host, which a client may name as if we were its proxy (RFC 9112 section 3.2.2). */
export function originForm(target: string): string {
  if (target[0] === "/") return target;
  const found = /^https?:\/\/[^/?#]+/i.exec(target);
  if (found === null) return target;
  const rest = target.slice(found[0].length);
  return rest[0] === "/" ? rest : `/${rest}`;
}

/** A target without the path under which the service is mounted, which the host may have cut off before. */
export function stripPrefix(url: string, prefix: string): string {
  if (prefix === "" || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  return rest === "" || rest[0] === "?" ? `/${rest}` : rest[0] === "/" ? rest : url;
}

/**
 * Parses a request's target without `new URL`, which throws on `//` and takes another host from `//host/path`. Answers what is wrong
 * with one that is too long, is no plain path, such as `*`, or has control characters.
 */
export function readTarget(target: string): Target | ServiceError {
  if (target.length > maxLength) return new ServiceError("payload_too_large", { message: urlTooLong });
  if (target[0] !== "/" || target[1] === "/" || /[^\x21-\x7e]/.test(target))
    return new ServiceError("validation_failed", { message: "The path is malformed." });
  const hash = target.indexOf("#");
  const end = hash < 0 ? target.length : hash;
  const mark = target.indexOf("?");
  if (mark < 0 || mark > end) return { path: target.slice(0, end), query: "" };
  return { path: target.slice(0, mark), query: target.slice(mark + 1, end) };
}
