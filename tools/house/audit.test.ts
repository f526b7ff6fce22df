import { expect, test } from "vitest";
import { shipped } from "./source-files.ts";

const core = "packages/core/src/";

// service.md, Audit coverage; decisions §11
test("use cases that leave no event of what they change are listed", () => {
  const changing = shipped.filter(
    ({ path, text }) => path.startsWith(core) && /\buseCase\(\{/.test(text) && !/\breads: true/.test(text),
  );
  expect(changing.length).toBeGreaterThan(80);
  const silent = changing.filter(({ text }) => !/\b(?:emit|emitEmailEvent|record)\(/.test(text));
  expect(silent.map(({ path }) => path.slice(core.length)).sort()).toEqual([
    // They send a mail, and change nothing before its link is followed.
    "identity/accounts/forgot-password.ts",
    "identity/accounts/resend-verification.ts",
    // Two-factor login is enabled only once its first code is confirmed.
    "identity/two-factor/set-up-two-factor.ts",
    // What they share with others leaves the events.
    "inbound/feed-report.ts",
    "suppressions/unsubscriptions/create-unsubscription.ts",
  ]);
});
