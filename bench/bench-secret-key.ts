/** The secret key of every measured service. */
export const benchSecretKey = "only for measuring, 0123456789abcdef";
