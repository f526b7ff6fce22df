import { expect, test } from "vitest";
import { judgeOwnership, judgeTyping } from "./judge-text.ts";

const key = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0B".repeat(20)}`;
const typing = (...texts: string[]) => judgeTyping(texts, key)?.problem;

test("quotes within the value are named, also behind backslashes, as some panels publish them", () => {
  expect(typing(`"${key}"`)).toBe("quoted");
  expect(typing(`\\"${key}\\"`)).toBe("quoted");
});

test("a value cut at 255 characters is named, also with a quote in front", () => {
  expect(typing(key.slice(0, 255))).toBe("cut_short");
  expect(typing(`"${key.slice(0, 254)}`)).toBe("cut_short");
  expect(typing(key.slice(0, 39))).toBeUndefined();
});

test("blanks alone are no mistake in typing", () => {
  expect(typing(key.replaceAll("; ", ";"))).toBeUndefined();
  expect(typing(key, "another record")).toBeUndefined();
});

test("blanks around the ownership record don't count; those within do, and are not called quotes", () => {
  const token = "posthorn-verification=waszurhjh4dfvqubdhi3c2z3jb";
  expect(judgeOwnership([` ${token} `], token).status).toBe("ok");
  expect(judgeOwnership([token.replace("=", " = ")], token).problem).toBe("other_value");
});
