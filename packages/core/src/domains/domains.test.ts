import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { ServiceError } from "../errors.ts";
import { createWorld, type TestWorkspace, type World } from "../testing/index.ts";
import type { DomainView } from "./domain-view.ts";

const hour = 3_600_000;
const day = 24 * hour;

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

const add = (name = "shop.example", fields: { includeSubdomains?: boolean } = {}) =>
  world.posthorn.domains.create({ name, ...fields }, workspace.asOwner);
const get = ({ id }: DomainView) => world.posthorn.domains.get({ domainId: id }, workspace.asOwner);
const verify = ({ id }: DomainView) => world.posthorn.domains.verify({ domainId: id }, workspace.asOwner);
const rotate = ({ id }: DomainView) => world.posthorn.domains.rotateDkim({ domainId: id }, workspace.asOwner);
const publish = ({ records }: DomainView) => {
  for (const { name, type, value, priority } of records)
    if (type === "MX") world.dns.setMx(name, `${priority} ${value}`);
    else world.dns.set(name, value);
};
/** Records gone, as after a move to another provider. */
const withdraw = ({ records }: DomainView) => {
  for (const { name, type } of records) type === "MX" ? world.dns.setMx(name) : world.dns.set(name);
};
const addVerified = async (name?: string, fields?: { includeSubdomains?: boolean }) => {
  const domain = await add(name, fields);
  publish(domain);
  return verify(domain);
};
const logged = async (): Promise<string[]> => {
  const { items } = await world.posthorn.auditLog.listForWorkspace({ size: 100 }, workspace.asOwner);
  return items.filter(({ type }) => type.startsWith("domain.")).map(({ type }) => type);
};
const keysIn = (domain: DomainView, state: string): string[] =>
  domain.dkim.filter((key) => key.state === state).map(({ selector }) => selector);
const keyIn = (domain: DomainView, state: string): string | undefined =>
  domain.dkim.find((key) => key.state === state)?.selector;
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

describe("a domain that is added", () => {
  test("is shown with its records, both keys from the start, and nothing secret", async () => {
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
    ["co.uk", "domain_not_registrable"],
    ["github.io", "domain_not_registrable"],
    ["db.corp.internal", "domain_not_registrable"],
    ["localhost", "validation_failed"],
    ["192.0.2.1", "validation_failed"],
    ["a_b.example", "validation_failed"],
  ])("is not %s", async (name, code) => {
    expect(await refusal(add(name))).toBe(code);
  });

  test("is a workspace's once, and another workspace's too, with keys and ownership of its own", async () => {
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

  test("counts against max_domains, also when several come at once", async () => {
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

  test("is written by managers and read by everyone", async () => {
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

  test("is looked at 30 times in ten minutes at the most, whoever asks", async () => {
    const domain = await add();
    for (let time = 0; time < 30; time += 1) await verify(domain);
    expect(await refusal(verify(domain))).toBe("rate_limited");
    expect(await refusal(rotate(domain))).toBe("rate_limited");
  });
});

describe("checks", () => {
  test("come by themselves, a minute after it was added at first, and tell the webhooks", async () => {
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

  test("that fail for 72 hours fail the domain; a good one mends it at once", async () => {
    const domain = await addVerified();
    withdraw(domain);
    world.clock.advance(day);
    await world.posthorn.drain();
    const warned = await get(domain);
    expect(warned).toMatchObject({ status: "warning", nextCheckAt: world.clock.now() + 6 * hour });
    expect(warned.statusReason).toMatch(/^_posthorn\.shop\.example: Nothing stands there/);
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

  test("that nobody answers change nothing, however long", async () => {
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

  test("end for a domain that is removed while it is looked at", async () => {
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
  test("lets the published standby sign, forgets the former private key, and shows the next record", async () => {
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

  test("waits for the record of the standby, and shows what is wrong with it", async () => {
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

  test("that is asked for twice at once happens once: the next standby is not published yet", async () => {
    const domain = await addVerified();
    expect((await Promise.all([refusal(rotate(domain)), refusal(rotate(domain))])).sort()).toEqual([
      "dkim_not_published",
      "done",
    ]);
    expect((await get(domain)).dkim.map(({ state }) => state).sort()).toEqual(
      ["active", "retired", "standby"].flatMap((state) => [state, state]),
    );
  });

  test("is of both algorithms where both sign: the record of each standby is wanted", async () => {
    const domain = await addVerified();
    const [, name = ""] = domain.records
      .filter(({ host }) => keysIn(domain, "standby").some((key) => host.startsWith(key)))
      .map((one) => one.name);
    world.dns.set(name);
    await expect(rotate(domain)).rejects.toMatchObject({ details: { record: { name, status: "missing" } } });
  });

  test("leaves Ed25519 alone whose records nobody publishes, and takes it along once its standby's is there", async () => {
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

  test("comes by itself where the settings say so, or tells once that it waits", async () => {
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

describe("sending", () => {
  const send = (from = "ada@shop.example", fields: object = {}) =>
    world.posthorn.emails.send(
      { from, to: ["grace@else.example"], subject: "Hi", text: "Hi", ...fields },
      { workspaceId: workspace.id },
    );
  const signedBy = () =>
    world.mailer.inbox.all().map(({ dkim }) => dkim?.map(({ domain, selector }) => `${selector} ${domain}`));
  const requireVerified = (asOwner = workspace.asOwner) =>
    world.posthorn.settings.update({ requireVerifiedDomain: true }, asOwner);

  test("require_verified_domain lets verified domains pass, and those of a warning", async () => {
    await requireVerified();
    expect(await refusal(send())).toBe("domain_not_verified");
    const domain = await addVerified();
    expect(await refusal(send())).toBe("done");
    expect(await refusal(send("ada@SHOP.example"))).toBe("done");
    expect(await refusal(send("ada@mail.shop.example"))).toBe("domain_not_verified");
    expect(await refusal(send("ada@other.example"))).toBe("domain_not_verified");
    withdraw(domain);
    expect((await verify(domain)).status).toBe("warning");
    expect(await refusal(send())).toBe("done");
    await world.storage.domains.update(workspace.id, domain.id, { status: "failed" });
    expect(await refusal(send())).toBe("domain_not_verified");
  });

  test("a dry run tells how the sender's domain stands", async () => {
    const tried = async (from: string, fields: object = {}) => {
      const mail = { from, to: ["grace@else.example"], subject: "Hi", text: "Hi", ...fields };
      return await world.posthorn.emails.dryRunSend(mail, { workspaceId: workspace.id });
    };
    const none = { name: "shop.example", status: undefined, dkim: false };
    expect((await tried("ada@shop.example")).domain).toEqual(none);
    const domain = await addVerified(undefined, { includeSubdomains: true });
    expect((await tried("ada@mail.SHOP.example")).domain).toEqual({
      name: "mail.shop.example",
      status: "verified",
      dkim: true,
    });
    await world.storage.domains.update(workspace.id, domain.id, { status: "failed" });
    expect((await tried("ada@shop.example")).domain).toEqual({ ...none, status: "failed" });
    await requireVerified();
    expect((await tried("ada@shop.example")).reasons.map(({ code }) => code)).toEqual([
      "domain_not_verified",
    ]);
  });

  test("a dry run warns whoever sends more than 5,000 a day without a DMARC record", async () => {
    const domain = await addVerified();
    const warned = async () => {
      const mail = { from: "ada@shop.example", to: ["grace@else.example"], subject: "Hi", text: "Hi" };
      const { warnings } = await world.posthorn.emails.dryRunSend(mail, { workspaceId: workspace.id });
      return warnings.map(({ code }) => code);
    };
    const use = (recipients: number) => {
      const now = world.clock.now();
      const window = (ms: number) => ({ start: now - (now % ms), limit: 0 });
      const asked = {
        workspaceId: workspace.id,
        recipients,
        hour: window(3_600_000),
        day: window(86_400_000),
      };
      return world.storage.usage.count([asked]);
    };
    await use(5_001);
    expect(await warned()).toEqual([]);
    const { findings } = (await world.storage.domains.find(workspace.id, domain.id)) ?? {};
    const records = (findings?.records ?? []).map((one) =>
      one.purpose === "dmarc" ? { ...one, status: "missing" as const } : one,
    );
    await world.storage.domains.update(workspace.id, domain.id, { findings: { records } });
    expect(await warned()).toEqual(["dmarc_missing"]);
    world.clock.advance(86_400_000);
    expect(await warned()).toEqual([]);
  });

  test("a dry run tells through which server it would go", async () => {
    const tried = async (from: string, fields: object = {}) => {
      const mail = { from, to: ["grace@else.example"], subject: "Hi", text: "Hi", ...fields };
      return await world.posthorn.emails.dryRunSend(mail, { workspaceId: workspace.id });
    };

    const platform = { smtpServerId: undefined, name: undefined };
    expect((await tried("ada@shop.example")).server).toEqual(platform);
    const { id } = await world.posthorn.smtpServers.create(
      { name: "relay", host: "mail.example.com", fromDomains: ["shop.example"] },
      workspace.asOwner,
    );
    expect((await tried("ada@shop.example")).server).toEqual({ smtpServerId: id, name: "relay" });
    expect((await tried("ada@other.example")).server).toEqual(platform);
    expect((await tried("ada@other.example", { smtpServerId: id })).server?.name).toBe("relay");
    await world.posthorn.settings.update({ platformServer: false }, workspace.asOwner);
    const unserved = await tried("ada@other.example");
    expect(unserved.server).toBeUndefined();
    expect(unserved.reasons.map(({ code }) => code)).toContain("no_smtp_server");
  });

  test("a domain of another workspace is none of this one's", async () => {
    await addVerified();
    const other = await world.addWorkspace();
    await requireVerified(other.asOwner);
    const mail = { from: "ada@shop.example", to: ["x@y.example"], subject: "Hi", text: "Hi" };
    expect(await refusal(world.posthorn.emails.send(mail, { workspaceId: other.id }))).toBe(
      "domain_not_verified",
    );
  });

  test("a workspace that nobody vouched for sends from its own verified domain, and from nothing else", async () => {
    await world.storage.workspaces.update(workspace.id, { isTrusted: false, updatedAt: 0 });
    expect(await refusal(send())).toBe("workspace_not_trusted");
    await addVerified();
    expect(await refusal(send())).toBe("done");
    expect(await refusal(send("no-reply@posthorn.example"))).toBe("workspace_not_trusted");
  });

  test("signs with the key that is active at each attempt", async () => {
    const domain = await addVerified();
    await send();
    await send("ada@other.example");
    await send("ada@shop.example", { scheduledAt: new Date(world.clock.now() + hour).toISOString() });
    await world.posthorn.drain();
    const rotated = await rotate(domain);
    world.clock.advance(hour);
    await world.posthorn.drain();
    const signatures = (view: DomainView): string[] =>
      keysIn(view, "active").map((selector) => `${selector} shop.example`);
    expect(signedBy()).toEqual([signatures(domain), undefined, signatures(rotated)]);
    expect(keyIn(rotated, "active")).not.toBe(keyIn(domain, "active"));
  });

  test("signs with Ed25519 only while its record is there; silence of the name servers changes nothing", async () => {
    const domain = await addVerified();
    const [rsa, ed] = keysIn(domain, "active");
    const record = domain.records.find(({ host }) => host.startsWith(`${ed}.`));
    const signers = async (): Promise<unknown> => {
      await verify(domain);
      world.mailer.inbox.clear();
      await send();
      await world.posthorn.drain();
      return world.mailer.inbox.all()[0]?.dkim?.map(({ selector }) => selector);
    };
    expect(await signers()).toEqual([rsa, ed]);
    world.dns.answers = false;
    expect(await signers()).toEqual([rsa, ed]);
    world.dns.answers = true;
    world.dns.set(record?.name ?? "");
    expect(await signers()).toEqual([rsa]);
    expect((await get(domain)).status).toBe("verified");
  });

  test("a domain stands for those beneath it where it says so, and the nearest goes first", async () => {
    await requireVerified();
    const domain = await addVerified("shop.example", { includeSubdomains: true });
    await send("ada@a.b.shop.example");
    await world.posthorn.drain();
    const nearer = await addVerified("b.shop.example", { includeSubdomains: true });
    await send("ada@a.b.shop.example");
    await world.posthorn.drain();
    expect(signedBy().map((signatures) => signatures?.[0])).toEqual([
      `${keyIn(domain, "active")} shop.example`,
      `${keyIn(nearer, "active")} b.shop.example`,
    ]);
    const { id: domainId } = domain;
    await world.posthorn.domains.update({ domainId, includeSubdomains: false }, workspace.asOwner);
    expect(await refusal(send("ada@c.shop.example"))).toBe("domain_not_verified");
    expect((await logged())[0]).toBe("domain.updated");
  });

  test("after the domain is removed, what waits is refused where it had to be verified, else goes unsigned", async () => {
    const later = { scheduledAt: new Date(world.clock.now() + hour).toISOString() };
    const domain = await addVerified();
    await send("free@shop.example", later);
    await requireVerified();
    const bound = await send("bound@shop.example", later);
    await world.posthorn.domains.delete({ domainId: domain.id }, workspace.asOwner);
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all().map(({ from, dkim }) => [from.address, dkim])).toEqual([
      ["free@shop.example", undefined],
    ]);
    const { status, recipients } = await world.posthorn.emails.get(
      { emailId: bound.id },
      { workspaceId: workspace.id },
    );
    expect([status, recipients[0]?.lastReply]).toEqual([
      "failed",
      "the sender's domain shop.example was removed, or is verified no longer",
    ]);
  });
});
