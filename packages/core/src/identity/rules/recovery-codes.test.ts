import { expect, test } from "vitest";
import { createRecoveryCodes, recoveryCodeDigest } from "./recovery-codes.ts";

test("ten distinct recovery codes are made, and recognised in any spelling", () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[02-9a-hjkmnp-z]{5}(?:-[02-9a-hjkmnp-z]{5}){2}$/);
    expect(recoveryCodeDigest(` ${code.toUpperCase().replaceAll("-", " ")} `)).toBe(recoveryCodeDigest(code));
  }
  expect(new Set(codes.map(recoveryCodeDigest)).size).toBe(10);
});
