/**
 * Names of the column with the addresses, in any case. The first of them that a list has is that column, so that in a
 * list with `email` and `to` the latter is a placeholder's.
 */
const names = ["email", "to", "address", "e-mail", "email address", "email_address"];

/** Returns a header's column names with that of the addresses named `email`; `undefined` if there is none. */
export const withAddressColumn = (header: readonly string[]): readonly string[] | undefined => {
  const words = header.map((word) => word.toLowerCase());
  const name = names.find((candidate) => words.includes(candidate));
  return name === undefined ? undefined : header.with(words.indexOf(name), "email");
};
