/**
 * Throws a TypeError if a header value holds a carriage return, line feed or NUL: it would end the field and start
 * another (RFC 5322 section 2.2). The API rejects such values earlier; here it is a programming error.
 */
export function assertHeaderSafe(value: string, field: string): void {
  if (value.includes("\r") || value.includes("\n") || value.includes("\0"))
    throw new TypeError(`${field} contains a line break or NUL`);
}

/**
 * Throws a TypeError unless the value is an address (RFC 5321 Mailbox) without spaces, brackets or control characters.
 * Beyond ASCII only letters, marks and digits are allowed (RFC 6531), and the domain must be ASCII.
 */
export function assertAddress(address: string, field: string): void {
  if (!/^[!-;=?-~\p{L}\p{M}\p{N}]+@[!-;=?-~]+$/u.test(address))
    throw new TypeError(`${field} is not an address with a domain in ASCII`);
}
