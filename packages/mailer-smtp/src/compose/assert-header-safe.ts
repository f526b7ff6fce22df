/**
 * Throws a TypeError where a value meant for a header field holds a carriage return, a line feed or a NUL: it would
 * end the field and begin another (RFC 5322 section 2.2). The API refuses these; here it is a programmer's error.
 */
export function assertHeaderSafe(value: string, field: string): void {
  if (value.includes("\r") || value.includes("\n") || value.includes("\0"))
    throw new TypeError(`${field} holds a line break or NUL`);
}

/**
 * Throws a TypeError unless the value is an address without spaces, brackets or controls (RFC 5321 Mailbox), of letters, marks and digits
 * where it goes beyond ASCII (RFC 6531), and with a domain in ASCII.
 */
export function assertAddress(address: string, field: string): void {
  if (!/^[!-;=?-~\p{L}\p{M}\p{N}]+@[!-;=?-~]+$/u.test(address))
    throw new TypeError(`${field} is not an address with a domain in ASCII`);
}
