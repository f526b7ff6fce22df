import { expect, test } from "vitest";
import { keysOf, parseSuppressed } from "./suppression-key.ts";

test("an address is compared in lower case with its domain in punycode; dots and plus are significant", () => {
  expect(parseSuppressed(" Ada <Ada.L+News@BÜCHER.example> ")).toEqual({
    address: "Ada.L+News@xn--bcher-kva.example",
    addressKey: "ada.l+news@xn--bcher-kva.example",
  });
  expect(parseSuppressed("=1+1@example.com")?.addressKey).toBe("=1+1@example.com");
});

test("a whole domain begins with @, and is no address", () => {
  expect(parseSuppressed("@BÜCHER.example")).toEqual({
    address: "@xn--bcher-kva.example",
    addressKey: "@xn--bcher-kva.example",
  });
  for (const wrong of ["@", "@localhost", "bücher.example", "a@b@c.example", "", "a@b.example, c@d.example"])
    expect(parseSuppressed(wrong), wrong).toBeUndefined();
});

test("an address is matched by its own key and by its domain's", () => {
  expect(keysOf("Ada@Example.com")).toEqual(["ada@example.com", "@example.com"]);
});
