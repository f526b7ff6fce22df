/** The letters of base32 (RFC 4648), in lower case: names of domains and addresses hold them, whatever their case. */
export const base32Letters = "abcdefghijklmnopqrstuvwxyz234567";
