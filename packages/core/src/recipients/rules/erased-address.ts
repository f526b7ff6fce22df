/**
 * Returns the address that replaces an erased one, with 8 hex digits. No mail can be delivered there (RFC 2606,
 * `.invalid`).
 */
export const erasedAddress = (digits: string): string => `erased-${digits}@invalid`;

/** Whether the address is a replacement of an erased one. */
export const isErased = (address: string): boolean => /^erased-[0-9a-f]{8}@invalid$/.test(address);
