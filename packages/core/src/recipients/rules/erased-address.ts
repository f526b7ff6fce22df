/** What stands in place of an erased address; of 8 hex digits. No mail can go there (RFC 2606, `.invalid`). */
export const erasedAddress = (digits: string): string => `erased-${digits}@invalid`;

/** Whether it stands in place of an erased address. */
export const isErased = (address: string): boolean => /^erased-[0-9a-f]{8}@invalid$/.test(address);
