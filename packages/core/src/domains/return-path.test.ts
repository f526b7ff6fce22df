import { describe, expect, test } from "vitest";
import { openWorldForEach, reopenWorld, workspace, world } from "../../test/world-for-each.ts";
import type { MailMessage } from "../ports/mailer.ts";
import type { DomainView } from "./domain-view.ts";

openWorldForEach({
  inboundHost: "in.post.example",
  returnPathDomain: "bounces.post.example",
  spfInclude: "spf.post.example",
});

const publish = ({ records }: DomainView) => {
  for (const { name, type, value, priority } of records)
    if (type === "MX") world.dns.setMx(name, `${priority} ${value}`);
    else world.dns.set(name, value);
};
const verify = ({ id }: DomainView) => world.posthorn.domains.verify({ domainId: id }, workspace.asOwner);
async function addVerified(fields: object = {}): Promise<DomainView> {
  const domain = await world.posthorn.domains.create({ name: "shop.example", ...fields }, workspace.asOwner);
  publish(domain);
  return verify(domain);
}
const addServer = (fields: object = {}) =>
  world.posthorn.smtpServers.create(
    { name: "relay", host: "relay.example", fromDomains: ["shop.example"], ...fields },
    workspace.asOwner,
  );
async function send(over: object = {}): Promise<MailMessage> {
  world.mailer.inbox.clear();
  await world.posthorn.emails.send(
    { from: "ada@shop.example", to: ["grace@else.example"], subject: "Hi", text: "Hi", ...over },
    { workspaceId: workspace.id },
  );
  await world.posthorn.drain();
  const [mail] = world.mailer.inbox.all();
  if (mail === undefined) throw new Error("nothing was sent");
  return mail;
}
const field = ({ headers }: MailMessage, wanted: string) =>
  headers.find(({ name }) => name === wanted)?.value;
const knows = (address: string) =>
  world.posthorn.inbound.knowsAddress({ address }, { as: { kind: "operator", name: "test" } });

describe("a domain's return path", () => {
  test("has an MX record and an SPF record, which are optional", async () => {
    const domain = await addVerified({ returnPath: "Mail.B" });
    const records = domain.records.filter(({ purpose }) => purpose === "return_path");
    const about = { name: "mail.b.shop.example", host: "mail.b", required: false, ttl: 3600, status: "ok" };
    expect(records).toMatchObject([
      { ...about, type: "MX", value: "in.post.example", priority: 10 },
      { ...about, type: "TXT", value: "v=spf1 include:spf.post.example ~all", priority: undefined },
    ]);
    expect(domain).toMatchObject({ returnPath: "mail.b", returnPathVerified: true, status: "verified" });
    world.dns.setMx("mail.b.shop.example", "10 elsewhere.example");
    expect(await verify(domain)).toMatchObject({ returnPathVerified: false, status: "verified" });
  });

  test.each([["_b"], ["b_c"], ["\u212a"], ["-b"], [""], ["b."], ["a.b.c.d.e"], ["x".repeat(64)]])(
    "can't be %j",
    async (name) => {
      await expect(addVerified({ returnPath: name })).rejects.toMatchObject({ code: "validation_failed" });
    },
  );

  test("makes addresses of 254 characters at most, in whose room the domain itself may have 223", async () => {
    const part = "x".repeat(50);
    const long = (length: number) => {
      const rest = `.${part}.${part}.${part}.example`;
      return `${"y".repeat(length - rest.length)}${rest}`;
    };
    const refusal = (path: string) => ({ code: "validation_failed", details: [{ path }] });
    await expect(addVerified({ name: long(224), returnPath: "b" })).rejects.toMatchObject(refusal("name"));
    await expect(addVerified({ name: long(223) })).rejects.toMatchObject(refusal("returnPath"));
    const { id: domainId } = await addVerified({ name: long(223), returnPath: "b" });
    await expect(
      world.posthorn.domains.update({ domainId, returnPath: "bb" }, workspace.asOwner),
    ).rejects.toThrow("226 characters; 225");
    const mail = await send({ from: `ada@${long(223)}` });
    expect(mail.envelope.from).toMatch(/^b-[a-z2-7]{26}@b\.y/);
    expect(mail.envelope.from).toHaveLength(254);
  });

  test("is checked within a minute after a change", async () => {
    const { id: domainId } = await addVerified();
    const moved = await world.posthorn.domains.update({ domainId, returnPath: "r" }, workspace.asOwner);
    expect(moved).toMatchObject({ returnPathVerified: false, nextCheckAt: world.clock.now() + 60_000 });
    publish(moved);
    world.clock.advance(60_000);
    await world.posthorn.drain();
    const looked = await world.posthorn.domains.get({ domainId }, workspace.asOwner);
    expect(looked.returnPathVerified).toBe(true);
  });

  test("whose check gets no answer keeps its status", async () => {
    const domain = await addVerified();
    world.dns.answers = false;
    expect((await verify(domain)).returnPathVerified).toBe(true);
  });
});

describe("e-mails of a domain whose return path is verified", () => {
  test("have it through the operator's server, and the complaint address; any other domain has the operator's", async () => {
    const domain = await addVerified();
    const mail = await send();
    expect(mail.envelope.from).toMatch(/^b-[a-z2-7]{26}@bounces\.shop\.example$/);
    expect(field(mail, "CFBL-Address")).toBe("fbl@bounces.shop.example; report=arf");
    expect(field(mail, "CFBL-Feedback-ID")).toBe(field(mail, "X-Service-Ref"));
    const named = await send({ headers: { "cfbl-feedback-id": "mine", "CFBL-Address": "me@shop.example" } });
    const complaints = named.headers.filter(({ name }) => /^cfbl-/i.test(name)).map(({ value }) => value);
    expect(complaints.sort()).toEqual(["fbl@bounces.shop.example; report=arf", "me@shop.example", "mine"]);
    const other = await send({ from: "ada@other.example" });
    expect(other.envelope.from).toMatch(/@bounces\.post\.example$/);
    expect(field(other, "CFBL-Address")).toBeUndefined();
    world.dns.setMx("bounces.shop.example");
    await verify(domain);
    expect((await send()).envelope.from).toMatch(/@bounces\.post\.example$/);
  });

  test("have it through a server with verp set, and the sender's address through any other", async () => {
    await expect(addServer({ returnPath: "verp" })).rejects.toThrow("no sending domain of the workspace");
    const domain = await addVerified();
    const { id: smtpServerId } = await addServer();
    expect((await send()).envelope.from).toBe("ada@shop.example");
    await world.posthorn.smtpServers.update({ smtpServerId, returnPath: "verp" }, workspace.asOwner);
    const { envelope } = await send({ to: ["a@x.example", "b@x.example"] });
    expect(envelope.from).toMatch(/^b-[a-z2-7]{26}@bounces\.shop\.example$/);
    world.dns.setMx("bounces.shop.example");
    await verify(domain);
    expect((await send()).envelope.from).toBe("ada@shop.example");
  });

  test("have return paths that are recognised even after the domain is removed, and no others are", async () => {
    const domain = await addVerified();
    const { envelope } = await send();
    expect(await knows(envelope.from)).toBe(true);
    expect(await knows(envelope.from.toUpperCase())).toBe(true);
    expect(await knows(envelope.from.replace(/^b-./, "b-x"))).toBe(false);
    expect(await knows("fbl@bounces.shop.example")).toBe(true);
    expect(await knows("fbl@bounces.post.example")).toBe(true);
    expect(await knows("fbl@shop.example")).toBe(false);
    expect(await knows("postmaster@bounces.shop.example")).toBe(false);
    await world.posthorn.domains.delete({ domainId: domain.id }, workspace.asOwner);
    expect(await knows(envelope.from)).toBe(true);
    expect(await knows("fbl@bounces.shop.example")).toBe(false);
  });
});

test("a return path is not used once the operator has given up the inbound host, before any check", async () => {
  await reopenWorld({ returnPathDomain: "bounces.post.example" });
  const { id } = await addVerified();
  await world.storage.domains.update(workspace.id, id, { returnPathVerified: true });
  const unsubscribing = await send({ unsubscribe: { list: "news" } });
  expect(unsubscribing.envelope.from).toMatch(/@bounces\.post\.example$/);
  expect(field(unsubscribing, "List-Unsubscribe")).toContain("@bounces.post.example?");
  expect(field(unsubscribing, "CFBL-Address")).toBeUndefined();
  await expect(addServer({ returnPath: "verp" })).rejects.toThrow("has a verified return path");
});

test("e-mails name campaign or template, workspace and kind to mailbox providers, unless they have their own Feedback-ID", async () => {
  const { id } = workspace;
  expect(field(await send(), "Feedback-ID")).toBe(`none:${id}:direct:posthorn`);
  const own = { headers: { "feedback-id": "a:b:c:d" } };
  const { headers } = await send(own);
  expect(headers.filter(({ name }) => name.toLowerCase() === "feedback-id")).toEqual([
    { name: "feedback-id", value: "a:b:c:d" },
  ]);
  const template = { name: "Welcome: ünd more", subject: "Hi", text: "x" };
  await world.posthorn.templates.create(template, workspace.asOwner);
  world.mailer.inbox.clear();
  await world.posthorn.emails.sendTemplate(
    { template: template.name, to: ["a@x.example"] },
    { workspaceId: id },
  );
  await world.posthorn.drain();
  const [mail] = world.mailer.inbox.all();
  expect(mail && field(mail, "Feedback-ID")).toBe(`Welcome-nd-more:${id}:template:posthorn`);
});

describe("a domain that requires TLS", () => {
  test("marks its e-mails as requiring it, by the setting at each attempt", async () => {
    const { id: domainId } = await addVerified();
    expect((await send()).requiresTls).toBeUndefined();
    await world.posthorn.domains.update({ domainId, tls: "required" }, workspace.asOwner);
    expect((await send()).requiresTls).toBe(true);
    expect((await send({ from: "ada@other.example" })).requiresTls).toBeUndefined();
  });

  test("skips servers in cleartext, and waits if there is no other, without delaying other e-mails", async () => {
    await addVerified({ tls: "required" });
    await world.posthorn.settings.update({ platformServer: false }, workspace.asOwner);
    await addServer({ name: "clear", security: "none", priority: 1 });
    const mail = { from: "ada@shop.example", to: ["g@else.example"], subject: "Hi", text: "Hi" };
    const { id: emailId } = await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toEqual([]);
    expect(await world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id })).toMatchObject({
      status: "queued",
      recipients: [{ state: "deferred", lastReply: expect.stringContaining("requires TLS") }],
    });
    expect(await world.storage.emailQueue.parked(world.clock.now())).toEqual([]);
    const secure = await addServer({ name: "secure", priority: 2 });
    expect((await send()).server?.id).toBe(secure.id);
  });
});
