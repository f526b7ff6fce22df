/** Returns a function that computes nothing if it is asked for the same number again. `compute` depends on the number alone. */
export function rememberLast(compute: (given: number) => string): (given: number) => string {
  let last = Number.NaN;
  let result = "";
  return (given) => {
    if (given !== last) result = compute(given);
    last = given;
    return result;
  };
}
