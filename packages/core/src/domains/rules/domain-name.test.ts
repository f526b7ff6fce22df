import { expect, test } from "vitest";
import { namesAbove, relativeTo } from "./domain-name.ts";

test("returns a name's parents, and its form for a DNS provider's panel", () => {
  expect(namesAbove("a.b.shop.example")).toEqual(["a.b.shop.example", "b.shop.example", "shop.example"]);
  expect(relativeTo("shop.example", "shop.example")).toBe("@");
  expect(relativeTo("_dmarc.shop.example", "shop.example")).toBe("_dmarc");
});
