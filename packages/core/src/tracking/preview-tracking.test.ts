import { expect, test } from "vitest";
import { baseUrlFault } from "./preview-tracking.ts";

test.each([
  ["https://mail.shop.example", undefined],
  ["https://mail.shop.example/posthorn", undefined],
  ["http://mail.shop.example", "https"],
  ["https://localhost:8080", "machine"],
  ["http://app.localhost", "machine"],
  ["http://127.0.0.1:8080", "machine"],
  ["https://[::1]", "machine"],
])("%s: %s", (baseUrl, fault) => {
  if (fault === undefined) expect(baseUrlFault(baseUrl)).toBeUndefined();
  else expect(baseUrlFault(baseUrl)).toContain(fault);
});
