import { describe, expect, test } from "vitest";
import { createReportTokens, returnPathOf, tokensInAddresses } from "./report-token.ts";

const tokens = createReportTokens(Buffer.alloc(32, 7));

describe("a token", () => {
  test.each([
    { row: 1, position: 0 },
    { row: 4242, position: 7 },
    { row: 2 ** 48 - 1, position: 254 },
    { row: 12, position: undefined },
  ])("encodes %j in 26 characters that are valid in an address", (subject) => {
    const token = tokens.make(subject);
    expect(token).toMatch(/^[a-z2-7]{26}$/);
    expect(tokens.read(token)).toEqual(subject);
  });

  test("keeps its form: reports of mail that was sent weeks ago bring it", () => {
    expect(tokens.make({ row: 4242, position: 7 })).toBe("aeaaaaaaccjaofm57oxlh32adu");
  });

  test("is the same in upper case, which gateways may use", () => {
    expect(tokens.read(tokens.make({ row: 5, position: 2 }).toUpperCase())).toEqual({ row: 5, position: 2 });
  });

  test("for more recipients than a byte can number has no position", () => {
    expect(tokens.read(tokens.make({ row: 5, position: 300 }))).toEqual({ row: 5, position: undefined });
  });

  test("with any character changed is invalid, and so is one under another key", () => {
    const token = tokens.make({ row: 5, position: 2 });
    for (let index = 0; index < 26; index++)
      for (const other of "abcdefghijklmnopqrstuvwxyz234567".replace(token.charAt(index), ""))
        expect(tokens.read(token.slice(0, index) + other + token.slice(index + 1))).toBeUndefined();
    expect(createReportTokens(Buffer.alloc(32, 8)).read(token)).toBeUndefined();
    for (const text of ["", "a", `${token}a`, token.slice(1), "1".repeat(26)])
      expect(tokens.read(text)).toBeUndefined();
  });

  test("made with a replaced key is still read", () => {
    const token = tokens.make({ row: 5, position: 2 });
    const renewed = createReportTokens(Buffer.alloc(32, 9), [Buffer.alloc(32, 7)]);
    expect(renewed.read(token)).toEqual({ row: 5, position: 2 });
    expect(renewed.make({ row: 5, position: 2 })).not.toBe(token);
  });

  test("is found in return paths, in any case, and nowhere else", () => {
    const token = tokens.make({ row: 5, position: 2 });
    expect(tokensInAddresses(`<${returnPathOf(token, "bounces.example")}>`)).toEqual([token]);
    expect(tokensInAddresses(`"x" <B-${token.toUpperCase()}@Bounces.Example>`)).toEqual([
      token.toUpperCase(),
    ]);
    expect(tokensInAddresses(`ab-${token}@bounces.example b-${token} b-${token}a@x.example`)).toEqual([]);
  });
});
