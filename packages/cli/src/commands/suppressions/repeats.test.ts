import { expect, test } from "vitest";
import { createRepeats } from "./repeats.ts";

test("blanks entries that an earlier part had, keeps line numbers, and treats another scope or expiry as another entry", () => {
  const repeats = createRepeats();
  const part = (...entries: object[]) =>
    new TextDecoder().decode(
      repeats(new TextEncoder().encode(`${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`)),
    );
  const ada = { email: "ada@example.com" };
  expect(part(ada, ada, { email: "bob@example.com" })).toMatch(/^{.*}\n{.*}\n{.*}\n$/);
  expect(repeats.count()).toBe(0);
  const others = [
    { ...ada, scope: "news" },
    { ...ada, expires_at: "2031-01-01T00:00:00Z" },
  ];
  expect(part({ email: "Ada@Example.com", reason: "again" }, ...others)).toMatch(/^\n{.*}\n{.*}\n$/);
  expect(repeats.count()).toBe(1);
});
