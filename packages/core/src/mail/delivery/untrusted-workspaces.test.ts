import { beforeEach, expect, test, vi } from "vitest";
import { addVerified, refusal } from "../../../test/sending-domain.ts";
import {
  add,
  answers,
  asked,
  dead,
  get,
  held,
  openServersForEach,
  send,
} from "../../../test/workspace-servers.ts";
import { hour, minute, workspace, world } from "../../../test/world-for-each.ts";

openServersForEach();

const trust = (isTrusted: boolean) =>
  world.storage.workspaces.update(workspace.id, { isTrusted, updatedAt: 0 });
const login = { username: "shop", password: "secret" };
const addOwn = (name: string, over: object = {}) => add(name, { ...login, ...over });
const change = ({ id: smtpServerId }: { id: string }, changes: object) =>
  world.posthorn.smtpServers.update({ smtpServerId, ...changes }, workspace.asOwner);
const remove = ({ id: smtpServerId }: { id: string }) =>
  world.posthorn.smtpServers.delete({ smtpServerId }, workspace.asOwner);
const soon = () => ({ scheduledAt: new Date(world.clock.now() + hour).toISOString() });
const outcomeOf = async ({ id }: { id: string }) => {
  const { status, recipients } = await get(id);
  return [status, recipients[0]?.lastReply];
};
const noOwnServer = expect.stringContaining("no mail server of its own that it logs in to");
const waiting = ["queued", noOwnServer];
const refused = ["failed", "domain removed, or not verified: shop.example"];
const viaPlatform = () => asked.filter((one) => one.startsWith("platform"));

beforeEach(() => trust(false));

// decisions §12
test("an untrusted workspace sends from any domain through a server of its own: chosen, named or default", async () => {
  expect(await refusal(send("none"))).toBe("workspace_not_trusted");
  const first = await addOwn("first");
  const spare = await addOwn("spare", { fromDomains: ["spare.example"], isDefault: true });
  await send("chosen");
  await send("named", { smtpServerId: spare.id });
  await send("default", { from: "a@else.example" });
  const batch = await world.posthorn.emails.sendBatch(
    { from: "a@shop.example", subject: "batch", text: "x", recipients: [{ to: "eve@example.com" }] },
    { workspaceId: workspace.id },
  );
  expect(batch.emails).toHaveLength(1);
  const tried = await world.posthorn.emails.dryRunSend(
    { from: "a@shop.example", to: ["ada@example.com"], subject: "x", text: "x" },
    { workspaceId: workspace.id },
  );
  expect([tried.server?.smtpServerId, tried.reasons]).toEqual([first.id, []]);
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["first batch", "first chosen", "spare default", "spare named"]);
  expect(world.mailer.inbox.all().map(({ server }) => server?.needsLogin)).toEqual([true, true, true, true]);
});

test("a server without a login is not its own: it may be anybody's that accepts the service's mail", async () => {
  const open = await add("open");
  expect(await refusal(send("chosen"))).toBe("workspace_not_trusted");
  expect(await refusal(send("named", { smtpServerId: open.id }))).toBe("workspace_not_trusted");
  const own = await addOwn("own", { priority: 90 });
  expect(await refusal(send("named", { smtpServerId: open.id }))).toBe("workspace_not_trusted");
  const mail = await send("passed over");
  await change(own, { username: "", password: "" });
  await world.posthorn.drain();
  expect(await outcomeOf(mail)).toEqual(waiting);
  expect(asked).toEqual([]);
});

test("the operator's sender is withheld, also from its own servers, and so is each domain that the operator signs", async () => {
  await addOwn("any", { fromDomains: [] });
  const mail = { to: ["ada@example.com"], subject: "x", text: "x" };
  const of = (from?: string) =>
    refusal(world.posthorn.emails.send({ ...mail, ...(from && { from }) }, { workspaceId: workspace.id }));
  expect(await of()).toBe("workspace_not_trusted");
  expect(await of("No-Reply@Posthorn.example")).toBe("workspace_not_trusted");
  await world.posthorn.settings.update({ defaultSenderName: "Shop" }, workspace.asOwner);
  expect(await of()).toBe("workspace_not_trusted");
  expect(await of("a@signed.example")).toBe("done");
  const late = await send("late", { ...soon(), from: "a@signed.example" });
  world.mailer.signs = (domain) => domain === "signed.example";
  expect(await of("a@signed.example")).toBe("workspace_not_trusted");
  await world.posthorn.settings.update({ defaultSenderEmail: "team@shop.example" }, workspace.asOwner);
  expect(await of()).toBe("done");
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await outcomeOf(late)).toEqual(["failed", "domain removed, or not verified: signed.example"]);
  expect(viaPlatform()).toEqual([]);
});

test("who sends on behalf of its sender is bound likewise: the operator is withheld, and others need its own server", async () => {
  const { domain, own } = { domain: await addVerified(), own: { from: "a@shop.example" } };
  const of = (sender: string) => refusal(send("on behalf", { ...own, sender }));
  expect(await of(`"The team" <b@${domain.name}>`)).toBe("done");
  expect(await of("No-Reply@Posthorn.example")).toBe("workspace_not_trusted");
  expect(await of("ceo@else.example")).toBe("workspace_not_trusted");
  await trust(true);
  expect(await of("ceo@else.example")).toBe("done");
  const late = await send("late", { ...own, ...soon(), sender: "ceo@else.example" });
  await world.posthorn.drain();
  await trust(false);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(viaPlatform()).toEqual(["platform on behalf", "platform on behalf"]);
  expect((await get(late.id)).status).toBe("failed");
  const server = await addOwn("own");
  expect(await of("No-Reply@Posthorn.example")).toBe("workspace_not_trusted");
  expect(await of("ceo@else.example")).toBe("done");
  await remove(server);
  await world.posthorn.drain();
  expect(viaPlatform()).toHaveLength(2);
});

test("fields that steer a relay need its own server, also from its own domain: the operator's account obeys no stranger", async () => {
  await addVerified();
  const steering = { from: "a@shop.example", headers: { "X-Ses-Configuration-Set": "none" } };
  await expect(send("refused", steering)).rejects.toMatchObject({
    code: "workspace_not_trusted",
    message: expect.stringMatching(/^X-Ses-Configuration-Set tells a relay/),
  });
  expect(await refusal(send("plain", { ...steering, headers: { "X-Session": "1" } }))).toBe("done");
  await trust(true);
  expect(await refusal(send("trusted", steering))).toBe("done");
  const late = await send("late", { ...steering, ...soon() });
  await world.posthorn.drain();
  await trust(false);
  const own = await addOwn("own");
  await send("own", steering);
  const moved = await send("moved", { ...steering, ...soon() });
  await world.posthorn.drain();
  await remove(own);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["own own", "platform plain", "platform trusted"]);
  for (const mail of [late, moved]) expect(await outcomeOf(mail)).toEqual(waiting);
});

test("require_verified_domain holds for its own servers, too", async () => {
  await addOwn("own");
  const mail = await send("before", soon());
  await world.posthorn.settings.update({ requireVerifiedDomain: true }, workspace.asOwner);
  expect(await refusal(send("after"))).toBe("domain_not_verified");
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await outcomeOf(mail)).toEqual(refused);
});

test.each<[string, (own: { id: string }) => Promise<unknown>]>([
  ["deleted", remove],
  ["deactivated", (own) => change(own, { isActive: false })],
  ["for other senders", (own) => change(own, { fromDomains: ["other.example"] })],
])("mail whose server is %s waits for another, and never goes through the operator's", async (_, end) => {
  const own = await addOwn("own");
  const atOnce = await send("at once");
  const later = await send("later", soon());
  const named = await send("named", { smtpServerId: own.id, from: "a@named.example" });
  await end(own);
  await world.posthorn.drain();
  expect(await outcomeOf(atOnce)).toEqual(waiting);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await outcomeOf(later)).toEqual(waiting);
  expect(viaPlatform()).toEqual([]);
  asked.length = 0;
  await addOwn("next");
  world.clock.advance(2 * hour);
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["next at once", "next later"]);
  expect((await get(named.id)).status).not.toBe("failed");
});

test("mail that no own server takes fails after its time, and a retry goes through none of the operator's", async () => {
  const own = await addOwn("own");
  const mail = await send("mail");
  await remove(own);
  await world.posthorn.drain();
  for (let hours = 0; hours < 50; hours += 1) {
    world.clock.advance(hour);
    await world.posthorn.drain();
  }
  expect(await outcomeOf(mail)).toEqual(["failed", noOwnServer]);
  await world.posthorn.emails.retry({ emailId: mail.id }, workspace.asOwner);
  await world.posthorn.drain();
  expect(asked).toEqual([]);
  await addOwn("next");
  world.clock.advance(2 * hour);
  await world.posthorn.drain();
  expect([await outcomeOf(mail), asked]).toEqual([["sent", "250 ok"], ["next mail"]]);
});

test.each([
  ["down", dead],
  ["full", held("limited", hour)],
  ["exhausted", held("exhausted", hour)],
])("mail whose server is %s waits, or takes the next of its own", async (_, answer) => {
  await addOwn("own");
  answers["own"] = answer;
  const mail = await send("mail");
  await world.posthorn.drain();
  world.clock.advance(2 * minute);
  await world.posthorn.drain();
  expect((await get(mail.id)).status).toBe("queued");
  expect(new Set(asked)).toEqual(new Set(["own mail"]));
});

test("trust that is withdrawn leads what waits for the operator's server to own ones, and refuses the rest", async () => {
  await trust(true);
  const mails = await Promise.all(["a", "b"].map((subject) => send(subject, soon())));
  const other = await send("other", { ...soon(), from: "a@other.example" });
  await addOwn("own");
  await trust(false);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["own a", "own b"]);
  for (const mail of mails) expect((await get(mail.id)).status).toBe("sent");
  expect(await outcomeOf(other)).toEqual(["failed", "domain removed, or not verified: other.example"]);
});

test("trust that is withdrawn withholds the operator's sender from what waits, also from its own servers", async () => {
  await addOwn("own", { fromDomains: [] });
  await trust(true);
  const [from, sender] = ["No-Reply@Posthorn.example", "no-reply@posthorn.example"];
  const mails = await Promise.all([send("from", { ...soon(), from }), send("sender", { ...soon(), sender })]);
  await trust(false);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(asked).toEqual([]);
  for (const mail of mails)
    expect(await outcomeOf(mail)).toEqual(["failed", "domain removed, or not verified: posthorn.example"]);
});

test("trust that is given leads what waits for a server of its own to the operator's", async () => {
  const own = await addOwn("own");
  const mail = await send("mail");
  await remove(own);
  await world.posthorn.drain();
  expect(await outcomeOf(mail)).toEqual(waiting);
  await trust(true);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect([await outcomeOf(mail), asked]).toEqual([["sent", "250 ok"], ["platform mail"]]);
});

test("a campaign goes through own servers alone, and pauses without one", async () => {
  const own = await addOwn("own");
  const { id: campaignId } = await world.posthorn.campaigns.create(
    {
      name: "News",
      subject: "news",
      text: "x",
      from: "a@shop.example",
      unsubscribe: false,
      recipients: ["ada", "bob"].map((name) => ({ email: `${name}@example.com` })),
      pace: { perHour: 60 },
    },
    workspace.asOwner,
  );
  await world.posthorn.campaigns.start({ campaignId }, workspace.asOwner);
  await world.posthorn.drain();
  expect(asked).toEqual(["own news"]);
  await change(own, { isActive: false });
  world.clock.advance(hour);
  await world.posthorn.drain();
  const { status, pausedReason } = await world.posthorn.campaigns.get({ campaignId }, workspace.asOwner);
  expect([status, pausedReason]).toEqual(["paused", "domain_failed"]);
  expect(viaPlatform()).toEqual([]);
});

test("ordinary mail is sent without a look at its workspace's trust", async () => {
  await trust(true);
  await add("own");
  const look = vi.spyOn(world.storage.workspaces, "listBoundSenders");
  await send("mail");
  await world.posthorn.drain();
  expect([asked, look.mock.calls]).toEqual([["own mail"], []]);
});
