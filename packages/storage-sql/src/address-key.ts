/** The form under which addresses are unique and looked up: lower case by the rules of ASCII alone, so that no other letter becomes one of it. */
export const addressKey = (address: string): string =>
  address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
