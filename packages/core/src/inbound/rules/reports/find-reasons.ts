/** Characters in which addresses are looked for: looking for one takes a time proportional to the product of both lengths. */
export const searched = 20_000;
const longestReason = 4_000;
/** How Sendmail goes on below the reason of a delay. */
const assurance = "Warning: message still undelivered";
/** How Exim names the alias of an address, above the reason. */
const alias = "    (generated from ";
/** Addresses of which one text may give the reasons. */
export const maxAddresses = 100;

/**
 * Reads a text for people that lists addresses, each with the reason behind or below it. Returns a function that finds
 * an address's reason, or `""`. A reason ends at a blank line, or where a line begins with another of the addresses.
 * With `anywhere`, the address need not begin its line.
 */
export function findReasons(
  text: string,
  addresses: readonly string[],
): (address: string, options?: { anywhere?: boolean }) => string {
  const lines = text.slice(0, searched).split("\n");
  const words = lines.map(firstWord);
  const known = new Set(addresses);
  const lineOf = (address: string, anywhere: boolean): number => {
    const begun = words.indexOf(address);
    return begun < 0 && anywhere ? lines.findIndex((line) => line.includes(address)) : begun;
  };
  return (address, { anywhere = false } = {}) => {
    const start = address === "" ? -1 : lineOf(address, anywhere);
    if (start < 0) return "";
    const first = lines[start] ?? "";
    const reason = [first.slice(first.indexOf(address) + address.length)];
    let length = 0;
    for (let at = start + 1; at < lines.length && length < longestReason; at += 1) {
      const line = lines[at] ?? "";
      if (line.trim() === "" || line.startsWith(assurance) || known.has(words[at] ?? "")) break;
      if (line.startsWith(alias)) continue;
      reason.push(line);
      length += line.length + 1;
    }
    return reason
      .join("\n")
      .slice(0, longestReason)
      .replace(/^[>:.\s]+/, "");
  };
}

/** Returns the first word of a line, without brackets around it or a colon behind. */
const firstWord = (line: string): string => /^[\s<]*([^\s<>]*[^\s<>:])/.exec(line)?.[1] ?? "";
