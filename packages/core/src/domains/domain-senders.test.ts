import { describe, expect, test } from "vitest";
import {
  addVerified,
  get,
  keyIn,
  keysIn,
  logged,
  refusal,
  rotate,
  verify,
  withdraw,
} from "../../test/sending-domain.ts";
import { hour, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import type { DomainView } from "./domain-view.ts";

openWorldForEach();

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

  test("require_verified_domain accepts verified domains, and those with a warning", async () => {
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

  test("a dry run reports the status of the sender's domain", async () => {
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

  test("a dry run warns senders of more than 5,000 a day without a DMARC record", async () => {
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

  test("a dry run names the server that would be used", async () => {
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

  test("a domain of another workspace does not count", async () => {
    await addVerified();
    const other = await world.addWorkspace();
    await requireVerified(other.asOwner);
    const mail = { from: "ada@shop.example", to: ["x@y.example"], subject: "Hi", text: "Hi" };
    expect(await refusal(world.posthorn.emails.send(mail, { workspaceId: other.id }))).toBe(
      "domain_not_verified",
    );
  });

  test("a workspace that is not trusted sends from its own verified domain only", async () => {
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

  test("signs with Ed25519 only while its record is published; silent name servers change nothing", async () => {
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

  test("a domain with includeSubdomains covers its subdomains, and the nearest domain is used", async () => {
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

  const later = () => ({ scheduledAt: new Date(world.clock.now() + hour).toISOString() });
  const outcomeOf = async ({ id }: { id: string }) => {
    const { status, recipients } = await world.posthorn.emails.get(
      { emailId: id },
      { workspaceId: workspace.id },
    );
    return [status, recipients[0]?.lastReply];
  };
  const refused = ["failed", "domain removed, or not verified: shop.example"];

  test("after the domain is removed, queued e-mails are sent unsigned", async () => {
    const domain = await addVerified();
    await send("free@shop.example", later());
    await world.posthorn.domains.delete({ domainId: domain.id }, workspace.asOwner);
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(signedBy()).toEqual([undefined]);
  });

  test("after the domain is removed, queued e-mails are refused where verification is required", async () => {
    await requireVerified();
    const domain = await addVerified();
    const bound = await send("bound@shop.example", later());
    await world.posthorn.domains.delete({ domainId: domain.id }, workspace.asOwner);
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(await outcomeOf(bound)).toEqual(refused);
    await world.posthorn.settings.update({ requireVerifiedDomain: false }, workspace.asOwner);
    await world.posthorn.emails.retry({ emailId: bound.id }, workspace.asOwner);
    await world.posthorn.drain();
    expect(await outcomeOf(bound)).toEqual(["sent", "250 ok"]);
    expect(signedBy()).toEqual([undefined]);
  });

  test("e-mails that wait while verification comes to be required, or trust is withdrawn, are refused", async () => {
    const waiting = await send("ada@shop.example", later());
    await requireVerified();
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(await outcomeOf(waiting)).toEqual(refused);
    await world.posthorn.settings.update({ requireVerifiedDomain: false }, workspace.asOwner);
    const campaign = await world.posthorn.campaigns.create(
      {
        name: "News",
        subject: "Hi",
        text: "Hi",
        from: "ada@shop.example",
        unsubscribe: false,
        recipients: [{ email: "grace@else.example" }],
        scheduledAt: new Date(world.clock.now() + hour).toISOString(),
      },
      workspace.asOwner,
    );
    await world.posthorn.campaigns.start({ campaignId: campaign.id }, workspace.asOwner);
    const untrusted = await send("ada@shop.example", later());
    await world.storage.workspaces.update(workspace.id, { isTrusted: false, updatedAt: 0 });
    world.clock.advance(hour);
    await world.posthorn.drain();
    expect(await outcomeOf(untrusted)).toEqual(refused);
    const { status, pausedReason } = await world.posthorn.campaigns.get(
      { campaignId: campaign.id },
      workspace.asOwner,
    );
    expect([status, pausedReason]).toEqual(["paused", "domain_failed"]);
    expect(world.mailer.inbox.all()).toEqual([]);
  });
});
