const hasNul = (value: unknown): boolean => typeof value === "string" && value.includes("\0");
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value;

/** PostgreSQL's text can't hold NUL: one in a mail server's reply must not make its row impossible to store. */
export const storable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.some(hasNul) ? value.map(withoutNul) : value;
  return hasNul(value) ? withoutNul(value) : value;
};
