const ascii = /^[\x20-\x7e]*$/;

/**
 * The form under which addresses are unique, looked up and compared: in lower case, where no letter beyond ASCII becomes one of it, as `K`
 * (KELVIN SIGN) is no "k".
 */
export function addressKey(address: string): string {
  if (ascii.test(address)) return address.toLowerCase();
  return [...address].map(lowered).join("");
}

function lowered(letter: string): string {
  const lower = letter.toLowerCase();
  return letter > "~" && /\p{ASCII}/u.test(lower) ? letter : lower;
}
