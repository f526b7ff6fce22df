import { describe, expect, test } from "vitest";
import { add, publish, verify } from "../../test/sending-domain.ts";
import {
  eventsOf,
  minute,
  openWorldForEach,
  reopenWorld,
  workspace,
  world,
} from "../../test/world-for-each.ts";
import { findSendingDomains } from "./find-sending-domain.ts";

openWorldForEach({ trackingHost: "links.post.example" });

const update = (fields: Parameters<typeof world.posthorn.domains.update>[0]) =>
  world.posthorn.domains.update(fields, workspace.asOwner);
/** The host for links in mail from the domain. */
const hostOf = async (domain: string) =>
  (await findSendingDomains(world.storage, [{ workspaceId: workspace.id, domain }]))[0]?.found.trackingDomain;

describe("a domain's tracking host", () => {
  test("has a CNAME record, which is optional, and is used only while that is verified", async () => {
    const domain = await add("shop.example", { tracking: "Click.Mail", includeSubdomains: true });
    expect(domain.records.filter(({ purpose }) => purpose === "tracking")).toMatchObject([
      {
        ...{
          type: "CNAME",
          name: "click.mail.shop.example",
          host: "click.mail",
          value: "links.post.example",
        },
        ...{ required: false, ttl: 3600, priority: undefined, status: "unchecked" },
      },
    ]);
    publish(domain);
    world.dns.setCname("click.mail.shop.example");
    expect(await verify(domain)).toMatchObject({ status: "verified", trackingVerified: false });
    expect(await hostOf("shop.example")).toBeUndefined();
    publish(domain);
    expect(await verify(domain)).toMatchObject({ tracking: "click.mail", trackingVerified: true });
    expect(await hostOf("shop.example")).toBe("click.mail.shop.example");
    expect(await hostOf("news.shop.example")).toBe("click.mail.shop.example");
    world.dns.answers = false;
    expect((await verify(domain)).trackingVerified).toBe(true);
    world.dns.answers = true;
    world.dns.setCname("click.mail.shop.example", "elsewhere.example");
    expect(await verify(domain)).toMatchObject({ status: "verified", trackingVerified: false });
    expect(await hostOf("shop.example")).toBeUndefined();
  });

  test("is changed and removed, is not verified until its new name is, and has no record without one", async () => {
    const domain = await add();
    const { id: domainId } = domain;
    expect([domain.tracking, domain.records.some(({ type }) => type === "CNAME")]).toEqual([
      undefined,
      false,
    ]);
    const set = await update({ domainId, tracking: "t" });
    expect(set).toMatchObject({ tracking: "t", nextCheckAt: world.clock.now() + 60_000 });
    publish(set);
    expect((await verify(set)).trackingVerified).toBe(true);
    expect(await update({ domainId, tls: "required" })).toMatchObject({
      tracking: "t",
      trackingVerified: true,
    });
    expect(await update({ domainId, tracking: "s" })).toMatchObject({
      tracking: "s",
      trackingVerified: false,
    });
    const removed = await update({ domainId, tracking: null });
    expect([removed.tracking, removed.trackingVerified]).toEqual([undefined, false]);
    expect((await verify(removed)).records.some(({ type }) => type === "CNAME")).toBe(false);
    expect((await eventsOf("domain.updated"))[0]).toMatchObject({
      changes: { tracking: { from: "s", to: null } },
    });
  });

  test.each([["_b"], ["-b"], [""], ["b."], ["a.b.c.d.e"], ["x".repeat(64)]])(
    "can't be %j",
    async (tracking) => {
      await expect(add("shop.example", { tracking })).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "tracking" }],
      });
    },
  );

  test("can't have the return path's name, nor the operator's, nor one that is too long for DNS", async () => {
    const refusal = (tracking: string) => ({ details: [{ path: tracking }] });
    await expect(add("shop.example", { tracking: "bounces" })).rejects.toMatchObject(refusal("tracking"));
    await expect(add("post.example", { tracking: "links" })).rejects.toThrow("needs no record");
    const { id: domainId } = await add("shop.example", { tracking: "t" });
    await expect(update({ domainId, returnPath: "t" })).rejects.toMatchObject(refusal("returnPath"));
    await expect(update({ domainId, tracking: "bounces" })).rejects.toMatchObject(refusal("tracking"));
    expect(await update({ domainId, returnPath: "bounces", tracking: "s" })).toMatchObject({ tracking: "s" });
    const part = "x".repeat(50);
    const name = `${part}.${part}.${part}.${part}.example`;
    await expect(add(name, { tracking: part })).rejects.toThrow("262 characters; 253");
  });

  test("that changes during a check is still checked a minute after the change", async () => {
    const domain = await add("shop.example", { tracking: "t" });
    const { id: domainId } = domain;
    publish(domain);
    await verify(domain);
    const { inquire } = world.dns;
    const changing = (timeoutMs: number) => {
      const inquiry = inquire(timeoutMs);
      const zoneOf: typeof inquiry.zoneOf = async (...at) => {
        await update({ domainId, tracking: "s" });
        return inquiry.zoneOf(...at);
      };
      return { ...inquiry, zoneOf };
    };
    world.dns.inquire = changing;
    const minuteAway = { trackingVerified: false, nextCheckAt: world.clock.now() + minute };
    expect(await verify(domain)).toMatchObject({ tracking: "s", ...minuteAway });
    world.dns.inquire = inquire;
    world.dns.setCname("s.shop.example", "links.post.example");
    world.clock.advance(minute);
    await world.posthorn.drain();
    expect(await hostOf("shop.example")).toBe("s.shop.example");
  });

  test("can't be set if the operator has none, and the refusal names the setting", async () => {
    await reopenWorld({});
    await expect(add("shop.example", { tracking: "t" })).rejects.toThrow("SERVICE_TRACKING_HOST");
    const { id: domainId } = await add();
    await expect(update({ domainId, tracking: "t" })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "tracking", message: expect.stringContaining("trackingHost") }],
    });
    expect((await update({ domainId, tracking: null })).tracking).toBeUndefined();
  });
});

test("a proxy learns which names are verified tracking hosts, in any case, and of others nothing", async () => {
  const knows = (host: string) => world.posthorn.domains.knowsTrackingHost({ host });
  const domain = await add("shop.example", { tracking: "t" });
  expect(await knows("t.shop.example")).toBe(false);
  publish(domain);
  await verify(domain);
  const asked = [
    "t.shop.example",
    "T.Shop.Example",
    "shop.example",
    "x.t.shop.example",
    "",
    "a b",
    "192.0.2.1",
  ];
  expect(await Promise.all(asked.map(knows))).toEqual([true, true, false, false, false, false, false]);
  world.dns.setCname("t.shop.example", "else.example");
  await verify(domain);
  expect(await knows("t.shop.example")).toBe(false);
});
