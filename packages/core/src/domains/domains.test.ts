import { describe, expect, test } from "vitest";
import {
  add,
  addVerified,
  get,
  keyIn,
  keysIn,
  logged,
  publish,
  refusal,
  rotate,
  verify,
  withdraw,
} from "../../test/sending-domain.ts";
import { day, hour, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import type { DomainView } from "./domain-view.ts";

openWorldForEach();

describe("an added domain", () => {
  test("is returned with its records, both keys from the start, and nothing secret", async () => {
    const domain = await add("Mail.Shop.Example.");
    expect(domain).toMatchObject({ name: "mail.shop.example", status: "pending", includeSubdomains: false });
    expect(
      domain.records.map(({ purpose, host, required, status }) => [purpose, host, required, status]),
    ).toEqual([
      ["ownership", "_posthorn.mail", true, "unchecked"],
      ["dkim", `${keyIn(domain, "active")}._domainkey.mail`, true, "unchecked"],
      ["dkim", `${keysIn(domain, "active")[1]}._domainkey.mail`, false, "unchecked"],
      ["dkim", `${keyIn(domain, "standby")}._domainkey.mail`, false, "unchecked"],
      ["dkim", `${keysIn(domain, "standby")[1]}._domainkey.mail`, false, "unchecked"],
      ["dmarc", "_dmarc", false, "unchecked"],
    ]);
    expect(domain.records[0]?.value).toMatch(/^posthorn-verification=[a-z2-7]{26}$/);
    expect(domain.records[1]?.value).toMatch(/^v=DKIM1; k=rsa; p=[\w+/=]+$/);
    expect(domain.records[2]?.value).toMatch(/^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/);
    expect(domain.dkim.map(({ algorithm, state, signs }) => [algorithm, state, signs])).toEqual([
      ["rsa-2048", "active", true],
      ["rsa-2048", "standby", false],
      ["ed25519", "active", false],
      ["ed25519", "standby", false],
    ]);
    for (const { selector } of domain.dkim) expect(selector).toMatch(/^ph203001[a-z]{6}$/);
    expect(JSON.stringify(domain)).not.toContain("PRIVATE");
    const [stored] = (await world.storage.domains.list(workspace.id, { offset: 0, limit: 1 })).items;
    expect(stored?.keys.map(({ privateKey }) => privateKey.slice(0, 3))).toEqual(Array(4).fill("v1."));
    expect(await logged()).toEqual(["domain.created"]);
  });

  test.each([
    ["com", "domain_not_registrable"],
    ["co.uk", "domain_not_registrable"],
    ["github.io", "domain_not_registrable"],
    ["db.corp.internal", "domain_not_registrable"],
    ["localhost", "validation_failed"],
    ["192.0.2.1", "validation_failed"],
    ["a_b.example", "validation_failed"],
  ])("can't be %s", async (name, code) => {
    expect(await refusal(add(name))).toBe(code);
  });

  test("is refused by the message of its fault", async () => {
    await expect(add("localhost")).rejects.toThrow('name: is not a domain such as "shop.example"');
  });

  test("is unique in a workspace, and in another workspace has its own keys and ownership record", async () => {
    const own = await add();
    expect(await refusal(add("SHOP.example"))).toBe("domain_taken");
    const other = await world.addWorkspace();
    const others = await world.posthorn.domains.create({ name: "shop.example" }, other.asOwner);
    publish(own);
    expect((await verify(own)).status).toBe("verified");
    const looked = await world.posthorn.domains.verify({ domainId: others.id }, other.asOwner);
    expect(looked.status).toBe("pending");
    expect(await refusal(verify(others))).toBe("not_found");
    const keys = [...own.records, ...others.records].filter(({ purpose }) => purpose === "dkim");
    expect(new Set(keys.map(({ name }) => name)).size).toBe(8);
  });

  test("counts against max_domains, also when several are added at once", async () => {
    const admin = await world.addUser({ admin: true });
    const plan = await world.posthorn.plans.create({ name: "P", maxDomains: 2 }, { as: admin });
    await world.posthorn.plans.assignToWorkspace(
      { workspaceId: workspace.id, planId: plan.id },
      { as: admin },
    );
    const calls = ["a.example", "b.example", "c.example"].map((name) => refusal(add(name)));
    expect((await Promise.all(calls)).sort()).toEqual(["done", "done", "plan_limit_reached"]);
    const { items, total } = await world.posthorn.domains.list({ size: 1 }, workspace.asOwner);
    expect([items.length, total]).toEqual([1, 2]);
  });

  test("can be changed by managers and read by everyone", async () => {
    const domain = await add();
    for (const role of ["admin", "editor", "viewer"] as const) {
      const as = workspace.as(await workspace.addMember(role));
      const expected = role === "admin" ? "done" : "forbidden";
      expect(await refusal(world.posthorn.domains.get({ domainId: domain.id }, as))).toBe("done");
      expect(await refusal(world.posthorn.domains.verify({ domainId: domain.id }, as))).toBe(expected);
      expect(await refusal(world.posthorn.domains.create({ name: `${role}.example` }, as))).toBe(expected);
    }
    const stranger = workspace.as(await world.addUser());
    expect(await refusal(world.posthorn.domains.list({}, stranger))).toBe("not_a_member");
  });

  test("is checked 30 times in ten minutes at most, whoever calls", async () => {
    const domain = await add();
    for (let time = 0; time < 30; time += 1) await verify(domain);
    expect(await refusal(verify(domain))).toBe("rate_limited");
    expect(await refusal(rotate(domain))).toBe("rate_limited");
  });
});

describe("checks", () => {
  test("run automatically, a minute after it was added at first, and notify the webhooks", async () => {
    const hook = { url: "https://hooks.shop.example/", events: ["domain.verified", "domain.warning"] };
    await world.posthorn.webhooks.create(hook, workspace.asOwner);
    const domain = await add();
    publish(domain);
    await world.posthorn.drain();
    expect((await get(domain)).status).toBe("pending");
    world.clock.advance(60_000);
    await world.posthorn.drain();
    expect(await get(domain)).toMatchObject({
      status: "verified",
      statusReason: "",
      verifiedAt: world.clock.now(),
      checkedAt: world.clock.now(),
      nextCheckAt: world.clock.now() + day,
    });
    expect(await logged()).toEqual(["domain.verified", "domain.created"]);
    expect(world.http.posts.map(({ body }) => JSON.parse(body))).toEqual([
      {
        event: "domain.verified",
        domain_id: domain.id,
        timestamp: new Date(world.clock.now()).toISOString(),
        data: { name: "shop.example", status: "verified", reason: "" },
      },
    ]);
  });

  test("that fail for 72 hours fail the domain; a successful one restores it at once", async () => {
    const domain = await addVerified();
    withdraw(domain);
    world.clock.advance(day);
    await world.posthorn.drain();
    const warned = await get(domain);
    expect(warned).toMatchObject({ status: "warning", nextCheckAt: world.clock.now() + 6 * hour });
    expect(warned.statusReason).toMatch(/^_posthorn\.shop\.example: The record does not exist/);
    for (let time = 0; time < 11; time += 1) {
      world.clock.advance(6 * hour);
      await world.posthorn.drain();
    }
    expect((await get(domain)).status).toBe("warning");
    world.clock.advance(6 * hour);
    await world.posthorn.drain();
    expect((await get(domain)).status).toBe("failed");
    publish(domain);
    expect((await verify(domain)).status).toBe("verified");
    expect(await logged()).toEqual([
      "domain.verified",
      "domain.failed",
      "domain.warning",
      "domain.verified",
      "domain.created",
    ]);
  });

  test("without an answer change nothing, however long", async () => {
    const domain = await addVerified();
    world.dns.answers = false;
    for (let time = 0; time < 5; time += 1) {
      world.clock.advance(day);
      await world.posthorn.drain();
    }
    const { status, statusReason, records } = await get(domain);
    expect([status, statusReason]).toEqual(["verified", ""]);
    expect(new Set(records.map((record) => record.status))).toEqual(new Set(["unreachable"]));
  });

  test("stop for a domain that is removed during a check", async () => {
    const domain = await add();
    world.clock.advance(60_000);
    const { inquire } = world.dns;
    world.dns.inquire = (timeoutMs) => {
      const inquiry = inquire(timeoutMs);
      return {
        ...inquiry,
        async zoneOf(name, top) {
          await world.posthorn.domains.delete({ domainId: domain.id }, workspace.asOwner);
          return inquiry.zoneOf(name, top);
        },
      };
    };
    await world.posthorn.drain();
    expect(await refusal(get(domain))).toBe("not_found");
    expect(await logged()).toEqual(["domain.deleted", "domain.created"]);
  });
});

describe("rotation", () => {
  test("makes the published standby key sign, deletes the former private key, and shows the next record", async () => {
    const domain = await addVerified();
    const [active, standby] = [keysIn(domain, "active"), keysIn(domain, "standby")];
    const rotated = await rotate(domain);
    expect([keysIn(rotated, "retired"), keysIn(rotated, "active")]).toEqual([active, standby]);
    expect(rotated.dkim.filter(({ signs }) => signs).map(({ selector }) => selector)).toEqual(standby);
    expect(rotated.records.map(({ purpose, status, required }) => [purpose, status, required])).toEqual([
      ["ownership", "ok", true],
      ["dkim", "ok", true],
      ["dkim", "ok", false],
      ["dkim", "unchecked", false],
      ["dkim", "unchecked", false],
      ["dkim", "keep", false],
      ["dkim", "keep", false],
      ["dmarc", "ok", false],
    ]);
    const stored = await world.storage.domains.find(workspace.id, domain.id);
    const retired = stored?.keys.filter(({ state }) => state === "retired") ?? [];
    expect(retired.map(({ privateKey }) => privateKey)).toEqual(["", ""]);
    world.clock.advance(7 * day);
    expect((await get(domain)).records[5]).toMatchObject({ status: "removable" });
    expect((await verify(domain)).status).toBe("verified");
  });

  test("waits for the standby's record, and shows what is wrong with it", async () => {
    const domain = await addVerified();
    const { name = "", value } = domain.records[3] ?? {};
    world.dns.set(name, "v=DKIM1; p=");
    await expect(rotate(domain)).rejects.toMatchObject({
      code: "dkim_not_published",
      details: { record: { name, value, status: "wrong", problem: "key_revoked" } },
    });
    world.dns.answers = false;
    await expect(rotate(domain)).rejects.toMatchObject({ details: { record: { status: "unreachable" } } });
    expect(keyIn(await get(domain), "active")).toBe(keyIn(domain, "active"));
  });

  test("requested twice at once happens once: the next standby is not published yet", async () => {
    const domain = await addVerified();
    expect((await Promise.all([refusal(rotate(domain)), refusal(rotate(domain))])).sort()).toEqual([
      "dkim_not_published",
      "done",
    ]);
    expect((await get(domain)).dkim.map(({ state }) => state).sort()).toEqual(
      ["active", "retired", "standby"].flatMap((state) => [state, state]),
    );
  });

  test("requires the standby's record of each algorithm if both sign", async () => {
    const domain = await addVerified();
    const [, name = ""] = domain.records
      .filter(({ host }) => keysIn(domain, "standby").some((key) => host.startsWith(key)))
      .map((one) => one.name);
    world.dns.set(name);
    await expect(rotate(domain)).rejects.toMatchObject({ details: { record: { name, status: "missing" } } });
  });

  test("skips Ed25519 if its records are not published, and includes it once its standby's is", async () => {
    const domain = await add();
    const isEd = ({ value }: DomainView["records"][number]): boolean => value.includes("k=ed25519");
    publish({ ...domain, records: domain.records.filter((record) => !isEd(record)) });
    expect((await verify(domain)).status).toBe("verified");
    const rotated = await rotate(domain);
    const states = ({ dkim }: DomainView): string[] =>
      dkim.filter(({ algorithm }) => algorithm === "ed25519").map(({ state, signs }) => `${state} ${signs}`);
    expect(states(rotated)).toEqual(["active false", "standby false"]);
    publish({ ...domain, records: rotated.records });
    expect(states(await rotate(domain))).toEqual(["retired false", "active true", "standby false"]);
  });

  test("happens automatically if configured, or reports once that it waits", async () => {
    await world.posthorn.settings.update({ dkimRotationDays: 30 }, workspace.asOwner);
    const domain = await addVerified();
    world.clock.advance(30 * day);
    await world.posthorn.drain();
    const rotated = await get(domain);
    expect(keyIn(rotated, "active")).toBe(keyIn(domain, "standby"));
    for (const days of [30, 1, 1]) {
      world.clock.advance(days * day);
      await world.posthorn.drain();
    }
    expect(keyIn(await get(domain), "active")).toBe(keyIn(rotated, "active"));
    expect(await logged()).toEqual([
      "domain.dkim_rotation_waiting",
      "domain.dkim_rotated",
      "domain.verified",
      "domain.created",
    ]);
    publish(rotated);
    world.clock.advance(day);
    await world.posthorn.drain();
    expect(keyIn(await get(domain), "active")).toBe(keyIn(rotated, "standby"));
  });
});
