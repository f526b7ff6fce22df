import { expect, test } from "vitest";
import { sentFields } from "./sent-options.ts";

test("every header field that is given is sent, also one whose name is refused later", () => {
  const { headers } = sentFields({ header: ["X-Order: 7", "__proto__: x"] });
  expect(Object.entries(headers ?? {})).toEqual([
    ["X-Order", "7"],
    ["__proto__", "x"],
  ]);
});
