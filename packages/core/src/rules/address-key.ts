const ascii = /^[\x20-\x7e]*$/;

/**
 * Returns the form in which addresses are unique, looked up and compared: lower case, where no letter beyond ASCII
 * becomes an ASCII letter, such as `K` (KELVIN SIGN) a "k".
 */
export function addressKey(address: string): string {
  if (ascii.test(address)) return address.toLowerCase();
  return [...address].map(lowered).join("");
}

function lowered(letter: string): string {
  const lower = letter.toLowerCase();
  return letter > "~" && /\p{ASCII}/u.test(lower) ? letter : lower;
}
