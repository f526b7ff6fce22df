import { expect, test } from "vitest";
import { enterBySign, lineOf } from "./host-lines.ts";

test("two copies of the package, as two bundles have, take turns on one transaction of a host's", async () => {
  const path = `${new URL("./host-lines.ts", import.meta.url).href}?copy=other`;
  const copy: typeof import("./host-lines.ts") = await import(path);
  expect(copy.lineOf).not.toBe(lineOf);
  const handle = {};
  expect(copy.lineOf(handle)).toBe(lineOf(handle));
  expect(copy.lineOf({})).not.toBe(lineOf(handle));
  const own = await enterBySign("sign of two copies");
  let hasEntered = false;
  const others = copy.enterBySign("sign of two copies").then((turn) => {
    hasEntered = true;
    return turn;
  });
  await (await copy.enterBySign("another sign")).leave();
  expect(hasEntered).toBe(false);
  own.leave();
  const { hasWaited, leave } = await others;
  expect(hasWaited).toBe(true);
  leave();
});
