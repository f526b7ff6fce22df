import { expect, test } from "vitest";
import {
  day,
  eventsOf,
  hour,
  openWorldForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { createSecretBox } from "../../rules/secret-box.ts";
import { worldSecretKey } from "../../testing/world.ts";
import { createTrackingTokens } from "../rules/tracking-token.ts";

openWorldForEach();

const tokens = createTrackingTokens(createSecretBox(worldSecretKey).trackingKey);
const html = [0, 1, 2, 3].map((link) => `<a href="https://shop.example/${link}">${link}</a>`).join("");
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const by = (userAgent = firefox, ip = "203.0.113.77") => ({ ip, userAgent, isPrefetch: false });

/** A delivered e-mail: how to open it and to follow its links, and what is stored. */
async function delivered(over: Parameters<typeof send>[0] = {}) {
  const { id } = await send({ html, tracking: { opens: true, clicks: true }, ...over });
  await world.posthorn.drain();
  const mail = world.mailer.inbox.all().find(({ emailId }) => emailId === id);
  const links = [...(mail?.html ?? "").matchAll(/\/c\/([\w-]+)/g)].map(([, token = ""]) => token);
  const image = /\/o\/([\w-]+)\.gif/.exec(mail?.html ?? "")?.[1] ?? "";
  const row = tokens.read(image)?.row ?? 0;
  return {
    id,
    open: (visit = by()) => world.posthorn.recordOpen(image, visit),
    click: (link: number, visit = by()) => world.posthorn.followLink(links[link] ?? "", visit),
    hits: async () => {
      await world.posthorn.drain();
      return await world.storage.tracking.list(row);
    },
  };
}

test("a reader's opens and clicks are added up, and told once", async () => {
  const { id, open, click, hits } = await delivered();
  world.clock.advance(hour);
  const at = world.clock.now();
  open();
  expect(click(1)).toBe("https://shop.example/1");
  world.clock.advance(5_000);
  open();
  click(2);
  const common = { position: 0, firstAt: at, firstHumanAt: at, agentClass: "browser", agent: undefined };
  const stored = { ...common, count: 2, humanCount: 2, machineReason: undefined, address: "203.0.113.0/24" };
  expect(await hits()).toEqual([
    { ...stored, kind: "open" },
    { ...stored, kind: "click" },
  ]);
  open();
  click(3);
  expect((await hits()).map(({ count }) => count)).toEqual([3, 3]);
  const data = { email_id: id, recipient: "ada@example.com", agent_class: "browser" };
  expect(await eventsOf("email.opened")).toEqual([data]);
  expect(await eventsOf("email.clicked")).toEqual([{ ...data, url: "https://shop.example/1" }]);
});

test("webhooks are told who followed which link", async () => {
  await world.posthorn.webhooks.create(
    { url: "https://hooks.example/", events: ["email.opened", "email.clicked"] },
    workspace.asOwner,
  );
  const { id, open, click } = await delivered({ tags: ["order"], metadata: { order: 7 } });
  world.clock.advance(hour);
  open();
  click(1, by("curl/8.14.1"));
  click(0);
  await world.posthorn.drain();
  const bodies = world.http.posts.map(({ body }) => JSON.parse(body.toString()));
  const about = { subject: "Hi", tags: ["order"], metadata: { order: 7 } };
  const data = { ...about, recipient: "ada@example.com", agent_class: "browser" };
  const timestamp = world.clock.now();
  expect(bodies.map((body) => ({ ...body, timestamp: Date.parse(body.timestamp) }))).toEqual(
    expect.arrayContaining([
      { event: "email.opened", email_id: id, timestamp, data },
      { event: "email.clicked", email_id: id, timestamp, data: { ...data, url: "https://shop.example/0" } },
    ]),
  );
  expect(bodies).toHaveLength(2);
});

test("a campaign counts its readers, each once", async () => {
  const recipients = ["ada", "bob", "eve"].map((name) => ({ to: `${name}@example.com` }));
  const tracking = { opens: true, clicks: true };
  const { id: campaignId } = await world.posthorn.campaigns.create(
    { name: "Spring", subject: "Hi", html, unsubscribe: false, recipients, tracking },
    workspace.asOwner,
  );
  await world.posthorn.campaigns.start({ campaignId }, workspace.asOwner);
  await world.posthorn.drain();
  world.clock.advance(hour);
  const mails = world.mailer.inbox.all().map((mail) => mail.html);
  for (const mail of mails.slice(0, 2))
    for (let turn = 0; turn < 2; turn += 1) {
      world.posthorn.recordOpen(/\/o\/([\w-]+)\.gif/.exec(mail)?.[1] ?? "", by());
      await world.posthorn.drain();
    }
  world.posthorn.followLink(/\/c\/([\w-]+)/.exec(mails[0] ?? "")?.[1] ?? "", by());
  await world.posthorn.drain();
  const { counts } = await world.posthorn.campaigns.get({ campaignId }, workspace.asOwner);
  expect(counts).toMatchObject({ sent: 3, opened: 2, clicked: 1 });
});

test("what comes within three seconds of the delivery is a scanner's", async () => {
  const { open, click, hits } = await delivered();
  world.clock.advance(2_999);
  open();
  click(0);
  expect((await hits()).map(({ humanCount, machineReason }) => [humanCount, machineReason])).toEqual([
    [0, "too_soon"],
    [0, "too_soon"],
  ]);
  world.clock.advance(1);
  open();
  click(0);
  expect((await hits()).map(({ count, humanCount }) => [count, humanCount])).toEqual([
    [2, 1],
    [2, 1],
  ]);
});

test("machines are counted, and told to nobody", async () => {
  const { open, click, hits } = await delivered();
  world.clock.advance(hour);
  open(by("Mozilla/5.0"));
  open({ ...by(), isPrefetch: true });
  for (const link of [0, 1, 2]) click(link);
  await hits();
  world.clock.advance(3_000);
  click(3, by(""));
  expect(
    (await hits()).map(({ count, humanCount, machineReason }) => [count, humanCount, machineReason]),
  ).toEqual([
    [2, 0, expect.stringMatching(/^(?:prefetch_header|image_proxy_prefetch)$/)],
    [4, 0, "burst"],
  ]);
  expect([await eventsOf("email.opened"), await eventsOf("email.clicked")]).toEqual([[], []]);
});

test("whoever follows the link that nobody sees is a machine, and all it follows meanwhile is its", async () => {
  await world.posthorn.settings.update({ trackingTrap: true }, workspace.asOwner);
  const { click, hits } = await delivered();
  world.clock.advance(hour);
  click(0);
  expect(click(4)).toBe("http://127.0.0.1:8080/");
  expect(
    (await hits()).map(({ count, humanCount, machineReason }) => [count, humanCount, machineReason]),
  ).toEqual([[2, 0, "trap"]]);
});

test.each([
  [day - 1, 1],
  [day + 1, 0],
])("a reader %i ms after a machine is counted, and told %i times", async (later, times) => {
  const { open, hits } = await delivered();
  world.clock.advance(hour);
  open(by("Mozilla/5.0"));
  await hits();
  world.clock.advance(later);
  open();
  expect((await hits()).map(({ count, humanCount }) => [count, humanCount])).toEqual([[2, 1]]);
  expect(await eventsOf("email.opened")).toHaveLength(times);
});

test("the address and the program are stored whole if the workspace keeps details", async () => {
  await world.posthorn.settings.update({ trackingDetails: true }, workspace.asOwner);
  const { open, hits } = await delivered();
  world.clock.advance(hour);
  open();
  expect(await hits()).toMatchObject([{ address: "203.0.113.77", agent: firefox }]);
});

test("what is tracked holds from the acceptance on, and which details are stored from the hit on", async () => {
  const turn = (on: boolean) =>
    world.posthorn.settings.update(
      { trackOpens: on, trackClicks: on, trackingDetails: on },
      workspace.asOwner,
    );
  await turn(true);
  const { id } = await send({ html });
  await turn(false);
  const untracked = await send({ html });
  await world.posthorn.drain();
  const sent = new Map(world.mailer.inbox.all().map((mail) => [mail.emailId, mail.html]));
  expect(sent.get(untracked.id)).toBe(html);
  const [, token = ""] = /\/c\/([\w-]+)/.exec(sent.get(id) ?? "") ?? [];
  const row = tokens.read(token)?.row ?? 0;
  const follow = async () => {
    world.clock.advance(hour);
    world.posthorn.followLink(token, by());
    await world.posthorn.drain();
    return await world.storage.tracking.list(row);
  };
  expect(await follow()).toMatchObject([{ count: 1, address: "203.0.113.0/24", agent: undefined }]);
  await turn(true);
  expect(await follow()).toMatchObject([{ count: 2, address: "203.0.113.77", agent: firefox }]);
  await turn(false);
  expect(await follow()).toMatchObject([{ count: 3, address: "203.0.113.0/24", agent: undefined }]);
});

test("a message to several names none of them", async () => {
  const { id, open, hits } = await delivered({ to: ["ada@example.com", "bob@example.com"] });
  world.clock.advance(hour);
  open();
  expect(await hits()).toMatchObject([{ position: undefined, humanCount: 1 }]);
  expect(await eventsOf("email.opened")).toEqual([{ email_id: id, agent_class: "browser" }]);
});

test("a link of an e-mail that was removed works, and nothing is stored", async () => {
  const { open, click, hits } = await delivered();
  await world.posthorn.workspaces.delete(
    { name: (await world.posthorn.workspaces.get({}, workspace.asOwner)).name },
    workspace.asOwner,
  );
  await world.posthorn.drain();
  open();
  expect(click(0)).toBe("https://shop.example/0");
  expect(await hits()).toEqual([]);
});

test("a link of an e-mail that was removed never counts for one that came later", async () => {
  const { open, click } = await delivered();
  await world.posthorn.workspaces.delete(
    { name: (await world.posthorn.workspaces.get({}, workspace.asOwner)).name },
    workspace.asOwner,
  );
  const other = { workspaceId: (await world.addWorkspace()).id };
  const { id: emailId } = await world.posthorn.emails.send(
    { to: ["bob@example.com"], subject: "Hi", html, tracking: { opens: true, clicks: true } },
    other,
  );
  await world.posthorn.drain();
  world.clock.advance(hour);
  open();
  click(0);
  await world.posthorn.drain();
  expect(await world.posthorn.emails.get({ emailId }, other)).toMatchObject({
    opens: undefined,
    clicks: undefined,
  });
});

test("tokens of another kind, and HEAD, count nothing", async () => {
  const { open, hits } = await delivered();
  world.clock.advance(hour);
  const image = tokens.make({ row: 1, position: 0, kind: "open" });
  const link = tokens.make({ row: 1, position: 0, kind: "click", link: 0, url: "https://shop.example/" });
  expect(world.posthorn.followLink(image, by())).toBeUndefined();
  expect(world.posthorn.followLink(link, undefined)).toBe("https://shop.example/");
  world.posthorn.recordOpen(link, by());
  world.posthorn.recordOpen("x", by());
  expect(await hits()).toEqual([]);
  open();
  expect(await hits()).toHaveLength(1);
});

test("of an erased recipient, hits are counted and nothing else is stored", async () => {
  await world.posthorn.settings.update({ trackingDetails: true }, workspace.asOwner);
  const { open, click, hits } = await delivered();
  world.clock.advance(hour);
  open();
  expect(await hits()).toMatchObject([{ address: "203.0.113.77", agent: firefox }]);
  await world.posthorn.recipients.erase({ email: "ada@example.com" }, workspace.asOwner);
  await world.posthorn.drain();
  open();
  click(0);
  const unknown = { address: undefined, agent: undefined };
  expect(await hits()).toMatchObject([
    { kind: "open", count: 2, ...unknown },
    { kind: "click", count: 1, ...unknown },
  ]);
  const [clicked] = await eventsOf("email.clicked");
  expect(clicked).toMatchObject({ recipient: expect.stringMatching(/^erased-/) });
  expect(clicked).not.toHaveProperty("url");
});

test("an export has the person's opens and clicks", async () => {
  const { open, hits } = await delivered();
  world.clock.advance(hour);
  open();
  await hits();
  const { content } = await world.posthorn.recipients.export({ email: "ada@example.com" }, workspace.asOwner);
  let text = "";
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  const lines = text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line)));
  const at = new Date(world.clock.now()).toISOString();
  const seen = { first_at: at, first_human_at: at, agent_class: "browser", address: "203.0.113.0/24" };
  expect(lines.find(({ type }) => type === "email").hits).toEqual([
    { kind: "open", count: 1, human_count: 1, ...seen, machine_reason: null, user_agent: null },
  ]);
});
