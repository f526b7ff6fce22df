/** A pattern as a syntax tree. */
export type PatternNode =
  | { kind: "set"; has: (character: string) => boolean }
  /** A condition between two characters; `""` stands for the start or end of the text. */
  | { kind: "assert"; holds: (before: string, after: string) => boolean }
  | { kind: "all"; nodes: PatternNode[] }
  | { kind: "either"; nodes: PatternNode[] }
  | { kind: "repeat"; node: PatternNode; least: number; most: number };

/** Thrown for a pattern that can't be parsed, or that would be expensive to match. */
export class PatternFault extends Error {
  override readonly name = "PatternFault";
}

const maxRepeats = 100;
const isDigit = (one: string): boolean => /^\d$/.test(one);
const isWord = (one: string): boolean => /^\w$/.test(one);
const isBlank = (one: string): boolean => /^\s$/.test(one);
const classes: Record<string, (one: string) => boolean> = {
  d: isDigit,
  D: (one) => !isDigit(one),
  w: isWord,
  W: (one) => !isWord(one),
  s: isBlank,
  S: (one) => !isBlank(one),
};

/**
 * Parses a pattern in the part of RE2's language that replies of mail servers require: literals, `.`, `[…]`, `\d \w \s
 * \b` and their opposites, groups, `|`, `^`, `$`, `* + ? {m,n}`. Back references and look-arounds are excluded, as
 * their cost has no bound. The result is in lower case, because matching ignores case. Throws `PatternFault`.
 */
export function parsePattern(pattern: string): PatternNode {
  let at = 0;
  const peek = (): string => pattern.charAt(at);
  const fail = (what: string): never => {
    throw new PatternFault(`${what} at character ${at + 1}`);
  };
  const take = (text: string): boolean => {
    const isThere = pattern.startsWith(text, at);
    if (isThere) at += text.length;
    return isThere;
  };

  function either(): PatternNode {
    const nodes = [sequence()];
    while (take("|")) nodes.push(sequence());
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "either", nodes };
  }

  function sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (at < pattern.length && peek() !== "|" && peek() !== ")") nodes.push(repeated(atom()));
    return { kind: "all", nodes };
  }

  function repeated(node: PatternNode): PatternNode {
    const bounds = readBounds();
    if (bounds === undefined) return node;
    const [least, most] = bounds;
    // A lazy quantifier matches the same texts.
    take("?");
    if (/^[*+?]|^\{\d/.test(pattern.slice(at))) fail("nothing to repeat");
    return { kind: "repeat", node, least, most };
  }

  function readBounds(): [number, number] | undefined {
    if (take("*")) return [0, Number.POSITIVE_INFINITY];
    if (take("+")) return [1, Number.POSITIVE_INFINITY];
    if (take("?")) return [0, 1];
    const [whole, from, comma, to] = /^\{(\d{1,3})(,?)(\d{0,3})\}/.exec(pattern.slice(at)) ?? [];
    if (whole === undefined) return undefined;
    const least = Number(from);
    const most = comma === "" ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    if (least > maxRepeats || (most > maxRepeats && most !== Number.POSITIVE_INFINITY))
      fail(`more than ${maxRepeats} repeats`);
    if (most < least) fail("bounds in the wrong order");
    at += whole.length;
    return [least, most];
  }

  function atom(): PatternNode {
    if (/^[*+?]/.test(peek())) fail("nothing to repeat");
    if (take("(")) {
      if (peek() === "?" && !take("?:")) fail("an unknown kind of group");
      const inner = either();
      if (!take(")")) fail("a group that is not closed");
      return inner;
    }
    if (take("^")) return { kind: "assert", holds: (before) => before === "" };
    if (take("$")) return { kind: "assert", holds: (_, after) => after === "" };
    if (take("\\b")) return { kind: "assert", holds: (before, after) => isWord(before) !== isWord(after) };
    if (take(".")) return { kind: "set", has: (one) => one !== "\n" };
    if (take("[")) return { kind: "set", has: set() };
    return { kind: "set", has: escaped() ?? literal() };
  }

  function escaped(): ((one: string) => boolean) | undefined {
    if (peek() !== "\\") return undefined;
    const letter = pattern.charAt(at + 1);
    const known = classes[letter];
    if (known === undefined && /^[A-Za-z0-9]?$/.test(letter)) fail("an unknown escape");
    at += 2;
    return known ?? ((one) => one === letter);
  }

  function literal(): (one: string) => boolean {
    const letter = peek().toLowerCase();
    at += 1;
    return (one) => one === letter;
  }

  function set(): (one: string) => boolean {
    const isNot = take("^");
    const members: ((one: string) => boolean)[] = [];
    do {
      if (at >= pattern.length) fail("a set that is not closed");
      members.push(escaped() ?? range());
    } while (!take("]"));
    return (one) => members.some((has) => has(one)) !== isNot;
  }

  function range(): (one: string) => boolean {
    const [, from = "", to] = /^([\s\S])(?:-([^\]\\]))?/.exec(pattern.slice(at)) ?? [];
    at += to === undefined ? 1 : 3;
    const [low, high] = [from.toLowerCase(), (to ?? from).toLowerCase()];
    if (low > high) fail("a range in the wrong order");
    return (one) => one >= low && one <= high;
  }

  const tree = either();
  if (at < pattern.length) fail("a closing parenthesis without a group");
  return tree;
}
