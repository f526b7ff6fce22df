/**
 * Returns the seconds after which a response asks to be repeated, a number or a time (RFC 9110 section 10.2.3);
 * `undefined` if it does not.
 */
export function retryAfter({ headers }: Pick<Response, "headers">): number | undefined {
  const given = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
