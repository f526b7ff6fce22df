const ascii = /^\p{ASCII}*$/u;

/** The form under which addresses are unique and looked up, as the core has it: lower case, where no other letter becomes one of ASCII. */
export const addressKey = (address: string): string =>
  ascii.test(address) ? address.toLowerCase() : [...address].map(lowered).join("");

function lowered(letter: string): string {
  const lower = letter.toLowerCase();
  return letter > "~" && /\p{ASCII}/u.test(lower) ? letter : lower;
}
