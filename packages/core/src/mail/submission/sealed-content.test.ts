import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "../../rules/secret-box.ts";
import { seal, unseal } from "./sealed-content.ts";

const runtime = { secrets: createSecretBox(randomBytes(32)) };

test("the sealed values of one e-mail can't be read as another's", () => {
  const sealed = seal(runtime, "one", { data: { code: "4711" } });
  expect(sealed).not.toContain("4711");
  expect(unseal(runtime, "one", sealed)).toEqual({ data: { code: "4711" } });
  expect(() => unseal(runtime, "other", sealed)).toThrow("another place");
});
