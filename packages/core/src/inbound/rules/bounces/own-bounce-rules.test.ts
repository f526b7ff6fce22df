import { expect, test } from "vitest";
import { classifyRefusal } from "./classify-refusal.ts";
import { type OwnBounceRule, readBounceRules } from "./own-bounce-rules.ts";

const judge = (reply: string, rules: OwnBounceRule[], stage: "recipient" | "content" = "recipient") =>
  classifyRefusal({ reply, stage }, readBounceRules(rules)).category;

test("an operator's rule takes precedence over the built-in ones if all its conditions match", () => {
  const reply = "550 5.1.1 gone fishing";
  expect(judge(reply, [])).toBe("invalid_recipient");
  expect(judge(reply, [{ category: "policy", words: "Gone (?:fishing|hunting)$" }])).toBe("policy");
  expect(judge(reply, [{ category: "policy", words: "fishing", stage: "content" }])).toBe(
    "invalid_recipient",
  );
  expect(judge(reply, [{ category: "policy", words: "fishing", stage: "content" }], "content")).toBe(
    "policy",
  );
  expect(judge(reply, [{ category: "spam", code: "55", enhanced: "5.1" }])).toBe("spam");
  expect(judge(reply, [{ category: "spam", code: "4" }])).toBe("invalid_recipient");
  expect(judge("550 5.10.1 x", [{ category: "spam", enhanced: "5.1" }])).not.toBe("spam");
  expect(
    judge(reply, [
      { category: "dns", words: "x" },
      { category: "spam", enhanced: "5.1.1" },
    ]),
  ).toBe("spam");
});

test.each<[unknown, string]>([
  [{ category: "nonsense", words: "x" }, "must have a category of invalid_recipient, "],
  [{ category: "toString", words: "x" }, "must have a category of"],
  [{ category: "spam" }, "must have a code, an enhanced code or words"],
  [{ category: "spam", words: "(a" }, "has words with a group that is not closed at character 3"],
  [{ category: "spam", words: "(?<=a)b" }, "has words with an unknown kind of group"],
  [{ category: "spam", words: 7 }, "must have words that are a non-empty text"],
  [{ category: "spam", code: "9" }, "has a code that is not like 550"],
  [{ category: "spam", enhanced: "5.x" }, "has an enhanced code that is not like 5.7.1"],
  [{ category: "spam", words: "x", stage: "later" }, "must have recipient or content as its stage"],
  [{ category: "spam", words: "x", class: "hard" }, "has the unknown field class"],
  ["x", "is not an object"],
])("%j is refused as a rule", (rule, fault) => {
  expect(() => readBounceRules([{ category: "spam", words: "x" }, rule as OwnBounceRule])).toThrow(
    `bounceRules: rule 2 ${fault}`,
  );
});

test("at most 200 rules with a limited total size are accepted", () => {
  const rules = (count: number, words: string) => Array(count).fill({ category: "spam", words });
  expect(readBounceRules(rules(200, "blocked by policy"))).toHaveLength(200);
  expect(() => readBounceRules(rules(201, "x"))).toThrow("at most 200 rules");
  expect(() => readBounceRules(rules(200, "x{100}"))).toThrow("total size of all patterns");
});
