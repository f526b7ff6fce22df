import { describe, expect, test } from "vitest";
import { check, createTestDns, find, serveZoneForEach, world, zone } from "../../../test/checked-zone.ts";
import type { Standing } from "../../../test/dns-server.ts";

serveZoneForEach();

const name = "tracking.shop.example";
const look = async (records: Record<string, Standing>) => {
  Object.assign(zone.records, records);
  return find(await check({ trackingHost: "links.post.example" }), "tracking");
};

describe("the tracking host", () => {
  test("is not queried if the operator has none", async () => {
    await check();
    expect([...zone.asked, ...world.asked].filter((one) => one.endsWith(name))).toEqual([]);
  });

  test("is ok if its CNAME record leads to the operator's host, in any case", async () => {
    expect(await look({ [name]: { cname: "Links.Post.example" } })).toEqual({
      ...{ purpose: "tracking", type: "CNAME", name, status: "ok", found: ["links.post.example"], hint: "" },
    });
  });

  test.each<[string, Record<string, Standing>, string, string]>([
    ["nothing there", {}, "missing not_found", "Add the CNAME record"],
    ["another target", { [name]: { cname: "cdn.else.example" } }, "wrong other_value", "cdn.else.example"],
    [
      "the zone added to the target",
      { [name]: { cname: "links.post.example.shop.example" } },
      "wrong other_value",
      "dot at the end",
    ],
    ["an address in place of the CNAME", { [name]: { a: "192.0.2.7" } }, "missing address", "192.0.2.7"],
    [
      "the name doubled",
      { [`${name}.shop.example`]: { cname: "links.post.example" } },
      "missing name_doubled",
      `${name}.shop.example`,
    ],
    ["no answer", { [name]: { fault: "fails" } }, "unreachable no_answer", "No name server"],
  ])("reports %s", async (_, records, expected, hint) => {
    if (expected === "unreachable no_answer") world.records[name] = { fault: "fails" };
    const found = await look(records);
    expect(`${found?.status} ${found?.problem}`).toBe(expected);
    expect(found?.hint).toContain(hint);
  });

  test("reports several records, which some servers let stand", async () => {
    const dns = createTestDns();
    const inquire = (timeoutMs: number) => {
      const inquiry = dns.inquire(timeoutMs);
      const zoneOf = async (at: string, top: string) => ({
        ...(await inquiry.zoneOf(at, top)),
        cname: async () => [{ kind: "found" as const, records: [["links.post.example"], ["b.example"]] }],
      });
      return { ...inquiry, zoneOf };
    };
    const records = await check({ trackingHost: "links.post.example", dns: { inquire } });
    expect(find(records, "tracking")).toMatchObject({ status: "ambiguous", problem: "several" });
  });
});
