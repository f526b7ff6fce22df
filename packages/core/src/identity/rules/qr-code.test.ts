import { expect, test } from "vitest";
import { qrSvg } from "./qr-code.ts";
import { totpUrl } from "./totp.ts";

test("qrSvg draws an otpauth URL, and a different one for another text", () => {
  const url = totpUrl({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    account: "ann@b.co",
    issuer: "Posthorn",
  });
  expect(qrSvg(url)).toMatch(/^<svg [^>]*viewBox[\s\S]*<\/svg>$/);
  expect(qrSvg(url)).toBe(qrSvg(url));
  expect(qrSvg(url)).not.toBe(qrSvg(`${url}x`));
});
