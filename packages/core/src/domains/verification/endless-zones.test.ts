import { expect, test } from "vitest";
import {
  check,
  find,
  inStrings,
  names,
  put,
  serveZoneForEach,
  world,
  zone,
} from "../../../test/checked-zone.ts";

serveZoneForEach();

test("a zone that names hundreds of servers makes no hint longer than a few of their names", async () => {
  const many = (letter: string) =>
    Array.from({ length: 200 }, (_, index) => `${letter}${index}.${`${"x".repeat(60)}.`.repeat(3)}example`);
  zone.records["shop.example"] = { ns: many("o") };
  world.records["shop.example"] = { ns: ["ns1.host.example", ...many("z")] };
  put(names.active, undefined);
  const { problem, hint = "" } = find(await check(), "dkim", names.active) ?? {};
  expect(problem).toBe("wrong_zone");
  expect(hint).toMatch(/ and 19\d more, but its own NS records name .* and 19\d more: /);
  expect(hint.length).toBeLessThan(10_000);
});

test("an SPF record of tens of thousands of characters is not stored with the include that it lacks", async () => {
  const spf = `v=spf1 ${"ip4:192.0.2.1 ".repeat(3_000)}~all`;
  put("shop.example", { ns: ["ns1.host.example"], txt: [inStrings(spf)] });
  const found = await check({ spfInclude: "spf.posthorn.example", inboundHost: "in.posthorn.example" });
  expect(find(found, "spf")).toMatchObject({ problem: "include_missing" });
  expect(find(found, "spf")).not.toHaveProperty("value");
  expect(JSON.stringify(found).length).toBeLessThan(10_000);
});
