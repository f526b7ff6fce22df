/**
 * The bytes that a server takes in a message at most (RFC 1870): a decimal number. `undefined` if it names none, zero for
 * any size, or something else.
 */
export function sizeLimit(extensions: Map<string, string>): number | undefined {
  const value = extensions.get("SIZE") ?? "";
  const size = /^\d+$/.test(value) ? Number(value) : 0;
  return size > 0 ? size : undefined;
}
