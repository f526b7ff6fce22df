/** Reply recorded for recipients of an e-mail that missed its deadline. */
export const expired = "expired";
