import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "./linear-pattern.ts";

describe("a pattern", () => {
  const piece = fc.constantFrom(
    ..."abc1 -_\n".split(""),
    ".",
    "^",
    "$",
    "\\b",
    "\\d",
    "\\W",
    "\\.",
    "[a-b]",
    "[^a1]",
    "[\\d-]",
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      piece,
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{0,}", "*?"))
        .map(([a, b]) => `(?:${a})${b}`),
    ),
  }));

  test("matches like JavaScript's own expressions, ignoring case", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abcABC1 -_\n."), maxLength: 12, size: "max" });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compilePattern(source).test(subject)).toBe(new RegExp(source, "i").test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  test("takes time linear in the text, where backtracking would be exponential", () => {
    const text = `${"a".repeat(2_000)}!`;
    for (const source of ["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)(.*)(.*)x", "(?:a?){50}a{50}b"])
      expect(compilePattern(source).test(text)).toBe(false);
  });

  test("repeated empty groups take no time to parse", () => {
    const nothing = (depth: number): string => (depth === 0 ? "" : `(${nothing(depth - 1)}){100}`);
    expect(compilePattern(nothing(40)).size).toBe(1);
  });

  test.each([
    ["(a", "a group that is not closed at character 3"],
    ["a)", "a closing parenthesis without a group at character 2"],
    ["[a", "a set that is not closed at character 3"],
    ["*a", "nothing to repeat at character 1"],
    ["a**", "nothing to repeat at character 3"],
    ["a{3,2}", "bounds in the wrong order at character 2"],
    ["a{101}", "more than 100 repeats at character 2"],
    ["(a{50}){50}", "too many repeats in total"],
    ["(?=a)", "an unknown kind of group at character 2"],
    ["(a)\\1", "an unknown escape at character 4"],
    ["[b-a]", "a range in the wrong order at character 5"],
    ["x".repeat(301), "longer than 300 characters"],
  ])("can't be %s", (source, fault) => {
    expect(() => compilePattern(source)).toThrow(fault);
  });
});
