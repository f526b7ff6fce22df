/** The end of a hold that has none, as a literal: the latest of all times. */
export const never = "9223372036854775807";
