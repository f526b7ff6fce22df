import { describe, expect, test } from "vitest";
import {
  active,
  check,
  createTestDns,
  domain,
  find,
  inStrings,
  names,
  ownership,
  put,
  recordOf,
  retired,
  serveZoneForEach,
  standby,
  stored,
  world,
  zone,
} from "../../../test/checked-zone.ts";
import { type Standing, startDnsServer } from "../../../test/dns-server.ts";
import type { RecordFinding } from "../../ports/storage.ts";
import { isPublicAddress } from "../../rules/public-address.ts";
import { checkDomain } from "./check-domain.ts";

serveZoneForEach();

const plain = { spfInclude: undefined, inboundHost: undefined, trackingHost: undefined };

const activeFinding = async (): Promise<RecordFinding | undefined> =>
  find(await check(), "dkim", names.active);

const whole = [inStrings(recordOf(active))];

describe("a domain with all records published", () => {
  test("is ok, according to the zone's own name server", async () => {
    const { zone: place, records } = await checkDomain(createTestDns(), { domain, config: plain });
    expect(place).toBe("shop.example");
    expect(records.map(({ purpose, status, hint }) => [purpose, status, hint])).toEqual([
      ["ownership", "ok", ""],
      ["dkim", "ok", ""],
      ["dkim", "ok", ""],
      ["dmarc", "ok", ""],
    ]);
  });

  test("is ok although caches still answer that nothing is there", async () => {
    await check();
    expect(zone.asked).toContain(`TXT ${names.active}`);
    expect(world.asked).not.toContain(`TXT ${names.active}`);
  });

  test("is queried only within its own zone, for TXT, MX, NS, CNAME and a tracking host's address, so that verification can't explore this network", async () => {
    zone.records["shop.example"] = {
      ns: ["ns1.host.example"],
      txt: ["v=spf1 include:secrets.corp.internal ~all"],
    };
    await check({ spfInclude: "spf.us.example", inboundHost: "in.us.example", trackingHost: "t.us.example" });
    const asked = [...zone.asked, ...world.asked].filter((one) => !/ (\w+\.)*ns1\.host\.example$/.test(one));
    expect(asked.length).toBeGreaterThan(5);
    expect(
      asked.filter(
        (one) => !/^((TXT|MX|NS|CNAME) (.+\.)?|(A|AAAA) tracking\.(.+\.)?)shop\.example$/.test(one),
      ),
    ).toEqual([]);
    expect(world.asked.filter((one) => /^A+ tracking/.test(one))).toEqual([]);
  });

  test("whose name server has a private address is queried through public resolvers only", async () => {
    const findings = await check({ dns: createTestDns(isPublicAddress) });
    expect(find(findings, "ownership")?.status).toBe("missing");
    expect(zone.asked).toEqual([]);
  });

  test("is found through an alias, which may lead to another zone", async () => {
    put(names.active, { cname: "keys.host.example" });
    world.records[names.active] = { txt: [inStrings(recordOf(active))] };
    expect((await activeFinding())?.status).toBe("ok");
  });

  test("may be delegated to a zone of its own", async () => {
    zone.records = {};
    zone.records["mail.shop.example"] = { ns: ["ns1.host.example"] };
    zone.records["_posthorn.mail.shop.example"] = { txt: [ownership] };
    world.records["mail.shop.example"] = { ns: ["ns1.host.example"] };
    const found = await checkDomain(createTestDns(), {
      domain: { ...domain, name: "mail.shop.example" },
      config: plain,
    });
    expect(found.zone).toBe("mail.shop.example");
    expect(find(found.records, "ownership")?.status).toBe("ok");
    expect(find(found.records, "dmarc")?.name).toBe("_dmarc.shop.example");
  });
});

describe("reports what is wrong:", () => {
  test.each<[string, Standing | undefined, Record<string, Standing>, string, RegExp]>([
    ["nothing there", undefined, {}, "missing not_found", /ns1\.host\.example/],
    [
      "the name doubled",
      undefined,
      { [`${names.active}.shop.example`]: { txt: whole } },
      "missing name_doubled",
      /shop\.example\.shop\.example/,
    ],
    [
      "the underscore refused by the panel",
      undefined,
      { "ph1.domainkey.shop.example": { txt: whole } },
      "missing underscore_missing",
      /ph1\.domainkey/,
    ],
    [
      "a CNAME in place of a TXT record",
      { cname: "posthorn.example" },
      {},
      "missing alias",
      /posthorn\.example/,
    ],
    ["quotes inside the value", { txt: [inStrings(`"${recordOf(active)}"`)] }, {}, "wrong quoted", /quotes/],
    [
      "quotes between the pieces",
      { txt: [inStrings(`"${recordOf(active).slice(0, 255)}" "${recordOf(active).slice(255)}"`)] },
      {},
      "wrong quoted",
      /quotes/,
    ],
    ["the key cut at 255", { txt: [recordOf(active).slice(0, 255)] }, {}, "wrong cut_short", /first 255/],
    [
      "pieces not joined",
      { txt: [recordOf(active).slice(255), recordOf(active).slice(0, 255)] },
      {},
      "wrong in_pieces",
      /one/,
    ],
    [
      "several TXT records",
      { txt: [...whole, inStrings(recordOf(retired))] },
      {},
      "ambiguous several",
      /2 TXT/,
    ],
    [
      "several, none of them the key",
      { txt: ["hello", "v=DKIM1; p=abcd"] },
      {},
      "ambiguous several",
      /2 TXT/,
    ],
    [
      "the standby key's p=",
      { txt: [inStrings(recordOf(standby))] },
      {},
      "wrong other_key",
      /standby key ph2/,
    ],
    [
      "the retired key's p=",
      { txt: [inStrings(recordOf(retired))] },
      {},
      "wrong other_key",
      /retired key ph0/,
    ],
    [
      "somebody else's p=",
      { txt: ["v=DKIM1; p=abcd"] },
      {},
      "wrong other_key",
      /does not belong to this domain/,
    ],
    ["an empty p=", { txt: ["v=DKIM1; k=rsa; p="] }, {}, "wrong key_revoked", /revokes/],
    ["t=y", { txt: [inStrings(`v=DKIM1; k=rsa; t=y; p=${active}`)] }, {}, "wrong testing", /t=y/],
    [
      "a tag that lets no e-mail pass",
      { txt: [inStrings(`v=DKIM1; s=other; p=${active}`)] },
      {},
      "wrong other_value",
      /other tags/,
    ],
    [
      "the right key as of another version",
      { txt: [inStrings(`v=DKIM2; k=rsa; p=${active}`)] },
      {},
      "wrong other_value",
      /not a DKIM key/,
    ],
    ["no key at all", { txt: ["hello"] }, {}, "wrong other_value", /not a DKIM key/],
    ["a server that fails", { fault: "fails" }, {}, "unreachable no_answer", /repeated later/],
  ])("%s", async (_, standing, more, expected, hint) => {
    put(names.active, standing);
    Object.assign(zone.records, more);
    if (standing?.fault) world.records[names.active] = standing;
    const found = await activeFinding();
    expect(`${found?.status} ${found?.problem}`).toBe(expected);
    expect(found?.hint).toMatch(hint);
  });

  test("the wrong zone: the answering servers name other name servers than the delegation does", async () => {
    zone.records["shop.example"] = { ns: ["ns1.former.example", "ns2.former.example"] };
    put(names.active, undefined);
    const found = await activeFinding();
    expect(found).toMatchObject({ status: "missing", problem: "wrong_zone" });
    expect(found?.hint).toMatch(
      /ns1\.host\.example, but its own NS records name ns1\.former\.example, ns2\.former\.example/,
    );
  });

  test("name servers with different answers, as with two providers for one zone", async () => {
    const other = await startDnsServer("127.0.0.3", zone.port);
    other.records = { [names.ownership]: { txt: [ownership] } };
    world.records["shop.example"] = { ns: ["ns1.host.example", "ns2.host.example"] };
    world.records["ns2.host.example"] = { a: "127.0.0.3" };
    const found = await check();
    await other.close();
    expect(find(found, "ownership")?.status).toBe("ok");
    expect(find(found, "dkim", names.active)).toMatchObject({
      status: "ambiguous",
      problem: "name_servers_differ",
    });
  });

  test("a domain without name servers", async () => {
    world.records = {};
    expect(await activeFinding()).toMatchObject({ status: "missing", problem: "zone_not_found" });
  });

  test("ignores spaces in a key, and accepts tags in any order, those for everything, and none", async () => {
    const key = `p=${active.slice(0, 200)} ${active.slice(200)}`;
    for (const text of [`k=rsa; ${key}; t=s`, `${key}; s=*; h=sha1:sha256`]) {
      put(names.active, { txt: [inStrings(text)] });
      expect((await activeFinding())?.status).toBe("ok");
    }
  });

  test("an ownership record of another workspace is accepted beside the own one, but not alone", async () => {
    const others = "posthorn-verification=zyxwvutsrqponmlkjihgfedcba";
    put(names.ownership, { txt: [others, ownership] });
    expect(find(await check(), "ownership")?.status).toBe("ok");
    put(names.ownership, { txt: [others] });
    expect(find(await check(), "ownership")).toMatchObject({
      status: "wrong",
      problem: "other_value",
      found: [others],
    });
    // Name servers return them in any order.
    for (const txt of [
      [others, `"${ownership}"`],
      [`"${ownership}"`, others],
    ]) {
      put(names.ownership, { txt });
      expect(find(await check(), "ownership")?.problem).toBe("quoted");
    }
  });
});

describe("a key of Ed25519", () => {
  const text = Buffer.alloc(32, 7).toString("base64");
  const checkText = async (value: string) => {
    put("ph3._domainkey.shop.example", { txt: [value] });
    const key = {
      ...stored,
      algorithm: "ed25519",
      selector: "ph3",
      publicKey: text,
      state: "active",
    } as const;
    const { records } = await checkDomain(createTestDns(), {
      domain: { ...domain, keys: [...domain.keys, key] },
      config: plain,
    });
    return find(records, "dkim", "ph3._domainkey.shop.example");
  };

  test("is ok in the form of RFC 8463, and wrong in that of RSA", async () => {
    expect((await checkText(`v=DKIM1; k=ed25519; p=${text}`))?.status).toBe("ok");
    expect(await checkText(`v=DKIM1; p=${text}`)).toMatchObject({ status: "wrong", problem: "other_value" });
  });
});

test("a check ends in time, even if name servers are silent", async () => {
  for (const name of Object.keys(zone.records)) zone.records[name] = { fault: "silent" };
  for (const name of [names.ownership, names.active]) world.records[name] = { fault: "silent" };
  const inquiry = createTestDns().inquire(60);
  const place = await inquiry.zoneOf("shop.example", "shop.example");
  expect(await place.txt(names.active)).toEqual([{ kind: "silent" }]);
  expect(await inquiry.txt(names.active)).toEqual({ kind: "silent" });
});
