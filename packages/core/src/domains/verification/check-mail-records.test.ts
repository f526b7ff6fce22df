import { describe, expect, test } from "vitest";
import { check, find, put, serveZoneForEach, world, zone } from "../../../test/checked-zone.ts";
import type { Standing } from "../../../test/dns-server.ts";

serveZoneForEach();

describe("SPF", () => {
  const spf = async (txt: string[], more: Record<string, Standing> = {}, include?: string) => {
    zone.records["shop.example"] = { ns: ["ns1.host.example"], txt: ["other=1", ...txt] };
    Object.assign(world.records, more);
    return find(await check(include === undefined ? {} : { spfInclude: include }), "spf");
  };

  test("is not required if there is none and the operator names none", async () => {
    expect(await spf([])).toBeUndefined();
    expect(await spf([], {}, "spf.us.example")).toMatchObject({
      status: "missing",
      problem: "not_found",
      value: "v=spf1 include:spf.us.example ~all",
    });
  });

  test.each([
    ["one record", ["v=spf1 mx ~all"], "ok undefined"],
    ["twice", ["v=spf1 mx ~all", "v=spf1 a ~all"], "ambiguous several"],
    ["+all", ["v=spf1 mx +all"], "wrong passes_all"],
    ["all, which is +all", ["v=spf1 all"], "wrong passes_all"],
    ["more than ten look-ups", [`v=spf1 ${"A:x.example ".repeat(11)}~all`], "wrong too_many_lookups"],
    [
      "eleven look-ups by terms of each kind",
      [
        "v=spf1 a/24 +a ?mx:x.example mx/24 ~mx ptr -ptr:x.example exists:x.example A:x.example mx:y.example exists:%{i}.x.example ~all",
      ],
      "wrong too_many_lookups",
    ],
    ["ten and a redirect", [`v=spf1 ${"a ".repeat(10)}redirect=x.example`], "wrong too_many_lookups"],
    ["capital letters", ["V=SPF1 MX +ALL"], "wrong passes_all"],
    ["beside a record of another version", ["v=spf1 mx ~all", "v=spf10 -all"], "ok undefined"],
    ["ten, and terms that need none", [`v=spf1 ${"a ".repeat(10)}ip6:2001:db8::a ~all`], "ok undefined"],
  ])("%s", async (_, txt, expected) => {
    const found = await spf(txt);
    expect(`${found?.status} ${found?.problem}`).toBe(expected);
  });

  test("counts the look-ups of includes, even in a cycle", async () => {
    const more = {
      "a.example": { txt: ["v=spf1 include:b.example mx ~all"] },
      "b.example": { txt: ["v=spf1 include:a.example ~all"] },
    };
    expect(await spf(["v=spf1 include:a.example ~all"], more)).toMatchObject({ problem: "too_many_lookups" });
    expect(world.asked.filter((one) => one.startsWith("TXT")).length).toBeLessThan(15);
  });

  test("shows how to add the include to the existing record", async () => {
    expect(await spf(["v=spf1 mx ~all"], {}, "spf.us.example")).toMatchObject({
      problem: "include_missing",
      value: "v=spf1 include:spf.us.example mx ~all",
    });
    const more = { "spf.us.example": { txt: ["v=spf1 ip4:192.0.2.1 -all"] } };
    const good = await spf(["v=spf1 include:spf.us.example ~all"], more, "spf.us.example");
    expect(good?.status).toBe("ok");
  });
});

describe("the operator's servers are included", () => {
  const more = {
    "spf.us.example": { txt: ["v=spf1 ip4:192.0.2.1 -all"] },
    "_spf.shop.example": { txt: ["v=spf1 include:SPF.us.example. ~all"] },
    "_not.shop.example": { txt: ["v=spf1 ?include:spf.us.example ~all"] },
  };
  const statusOf = async (text: string): Promise<string> => {
    zone.records["shop.example"] = { ns: ["ns1.host.example"], txt: [text] };
    Object.assign(world.records, more);
    const found = find(await check({ spfInclude: "spf.us.example" }), "spf");
    return `${found?.status} ${found?.value === text ? "as it is" : found?.problem}`;
  };

  test.each([
    "v=spf1 +include:spf.us.example. ~all",
    "v=spf1 redirect=spf.us.example",
    "v=spf1 mx redirect=_spf.shop.example.",
    "v=spf1 include:_spf.shop.example -all",
  ])("by %s", async (text) => {
    expect(await statusOf(text)).toBe("ok as it is");
  });

  test.each([
    "v=spf1 -include:spf.us.example ~all",
    "v=spf1 include:_not.shop.example ~all",
    "v=spf1 ~all include:spf.us.example",
    "v=spf1 redirect=spf.us.example ~all",
    "v=spf1 ?include:_spf.shop.example ~all",
  ])("not by %s", async (text) => {
    expect(await statusOf(text)).toBe("wrong include_missing");
  });
});

describe("the return path", () => {
  const name = "bounces.shop.example";
  const look = async (standing: Standing | undefined, spfInclude?: string) => {
    put(name, standing);
    const records = await check({ inboundHost: "in.post.example", ...(spfInclude && { spfInclude }) });
    return records.filter(({ purpose }) => purpose === "return_path");
  };
  const mx = async (...exchanges: [number, string][]) => {
    const [found] = await look({ mx: exchanges });
    return `${found?.type} ${found?.status} ${found?.problem}`;
  };

  test("is not required if the operator receives no mail", async () => {
    await check();
    expect([...zone.asked, ...world.asked].filter((one) => one.startsWith("MX"))).toEqual([]);
  });

  test("is ok if every MX leads to this service", async () => {
    expect(await mx([10, "in.post.example"])).toBe("MX ok undefined");
    expect(await mx([10, "IN.post.example"], [20, "in.post.example"])).toBe("MX ok undefined");
  });

  test("reports what is wrong with its MX", async () => {
    expect(await mx([10, "mx.google.example"])).toBe("MX wrong other_value");
    expect(await mx([10, "in.post.example"], [20, "other.example"])).toBe("MX ambiguous several");
    expect(await mx()).toBe("MX missing not_found");
    zone.records[`${name}.shop.example`] = { mx: [[10, "in.post.example"]] };
    const [found] = await look(undefined);
    expect(found).toMatchObject({ type: "MX", status: "missing", problem: "name_doubled" });
    expect(found?.hint).toContain(`${name}.shop.example`);
  });

  test("needs an SPF record if its content is known", async () => {
    expect(await look({ mx: [[10, "in.post.example"]] })).toHaveLength(1);
    const [, spf] = await look({ mx: [[10, "in.post.example"]] }, "spf.us.example");
    expect(spf).toMatchObject({
      type: "TXT",
      status: "missing",
      value: "v=spf1 include:spf.us.example ~all",
    });
    zone.records["shop.example"] = { ns: ["ns1.host.example"], txt: ["v=spf1 mx ~all"] };
    const [, own] = await look({ mx: [[10, "in.post.example"]] });
    expect(own).toMatchObject({ status: "missing", value: "v=spf1 redirect=shop.example" });
    const [, good] = await look({ mx: [[10, "in.post.example"]], txt: ["v=spf1 redirect=shop.example"] });
    expect(good).toMatchObject({ status: "ok", name });
  });
});

describe("DMARC", () => {
  test.each([
    ["none", [], "missing not_found"],
    ["twice", ["v=DMARC1; p=none", "v=DMARC1; p=reject"], "ambiguous several"],
    ["without a policy", ["v=DMARC1; rua=mailto:a@b.example"], "wrong other_value"],
    ["beside others", ["v=DMARC1;p=reject", "other"], "ok undefined"],
    ["beside a record of another version", ["v=DMARC1; p=none", "v=DMARC12; p=none"], "ok undefined"],
    ["with blanks", ["v = DMARC1 ; p = none"], "ok undefined"],
    [
      "with a version in small letters",
      ["v=dmarc1; p=none; rua=mailto:DMARC1@b.example"],
      "wrong other_value",
    ],
    ["beside one that receivers ignore", ["v=dmarc1; p=none", "v=DMARC1; p=none"], "ok undefined"],
    ["in capital letters", ["V=DMARC1 ; P = QUARANTINE"], "ok undefined"],
  ])("%s", async (_, txt, expected) => {
    zone.records["_dmarc.shop.example"] = { txt };
    const found = find(await check(), "dmarc");
    expect(`${found?.status} ${found?.problem}`).toBe(expected);
  });
});
