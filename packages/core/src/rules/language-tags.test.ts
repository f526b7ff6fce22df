import { expect, test } from "vitest";
import { isLanguageTag } from "./language-tags.ts";

test.each(["en", "pt-BR", "zh-Hant-TW", "de-CH-1996", "EN-us"])("%s is a language tag", (tag) => {
  expect(isLanguageTag(tag)).toBe(true);
});

test.each(["", "e", "en_US", "english!", "en-", "en US", "-en", "x".repeat(65), "en\n"])(
  "%j is not",
  (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  },
);
