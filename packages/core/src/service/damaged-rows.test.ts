import { StorageUnavailable } from "@posthorn/core";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  database,
  get,
  host,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../test/world-for-each.ts";

openDatabaseForEach();

test("a damaged event is listed and followed without its details, as are those after it", async () => {
  const after = await world.storage.events.lastId();
  await send();
  database.exec("update posthorn_events set metadata = '{' where type = 'email.queued'");
  await send({ to: ["bob@example.com"] });
  const seen: boolean[] = [];
  const { signal } = new AbortController();
  const following = { ...host(), category: "email", after, waits: false, signal } as const;
  for await (const { metadata } of world.posthorn.followEvents(following)) seen.push("emailId" in metadata);
  expect(seen).toEqual([false, true]);
  const { items } = await world.posthorn.events.list({ category: "email" }, host());
  expect(items.map(({ metadata }) => "emailId" in metadata)).toEqual([true, false]);
});

test("once damage was met in the file itself, nothing more is accepted, and what waits is sent", async () => {
  const { id } = await send();
  const damage = new StorageUnavailable("the SQLite file is damaged");
  vi.spyOn(world.storage, "assertSound").mockImplementation(() => {
    throw damage;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(send()).rejects.toBe(damage);
  database.exec("begin");
  const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
  const within = { ...host(), transaction: database as never };
  await expect(world.posthorn.emails.send(mail, within)).rejects.toBe(damage);
  database.exec("commit");
  expect(await world.posthorn.drain()).toBe(1);
  expect(await get(id)).toMatchObject({ status: "sent" });
});

test("an e-mail is accepted and sent though a webhook and a domain of its workspace are damaged", async () => {
  const { asOwner } = workspace;
  await world.posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, asOwner);
  await world.posthorn.domains.create({ name: "mail.example.com" }, asOwner);
  database.exec("update posthorn_webhooks set filters = '['");
  database.exec("update posthorn_domains set records = '{'");
  const { id } = await send();
  await world.posthorn.drain();
  expect(await get(id)).toMatchObject({ status: "sent" });
  expect((await world.posthorn.webhooks.list({}, asOwner)).items).toMatchObject([{ events: [] }]);
  expect((await world.posthorn.domains.list({}, asOwner)).items).toHaveLength(1);
});

test("a campaign is sent though one that was due before it is damaged, and so are a recipient's values", async () => {
  const { campaigns } = world.posthorn;
  const spring = { subject: "Hi", text: "Hello", recipients: [{ to: "ada@example.com" }] };
  const first = await campaigns.create({ ...spring, name: "first" }, workspace.asOwner);
  const second = await campaigns.create({ ...spring, name: "second" }, workspace.asOwner);
  await campaigns.start({ campaignId: first.id }, workspace.asOwner);
  await campaigns.start({ campaignId: second.id }, workspace.asOwner);
  database.prepare("update posthorn_campaigns set plan = '{' where id = ?").run(first.id);
  database.exec("update posthorn_campaign_recipients set template_data = '{'");
  await expect(world.posthorn.drain()).rejects.toThrow(`campaign ${first.id} is damaged`);
  await world.posthorn.drain();
  expect(await campaigns.get({ campaignId: second.id }, workspace.asOwner)).toMatchObject({
    status: "completed",
  });
});

test("a workspace's campaigns are listed though the plan of one and the sender of another are damaged", async () => {
  const { campaigns } = world.posthorn;
  const given = { subject: "Hi", text: "Hello", from: "Shop <news@shop.example>" };
  for (const name of ["part", "plan", "sender", "sound"]) await campaigns.create({ ...given, name }, host());
  database.exec("update posthorn_campaigns set plan = '7' where name = 'plan'");
  database.exec("update posthorn_campaigns set plan = json_remove(plan, '$.autoPause') where name = 'part'");
  database.exec("update posthorn_campaigns set from_mailbox = '{' where name = 'sender'");
  const { items } = await campaigns.list({}, host());
  expect(items.map(({ name, tags, autoPause }) => [name, tags, autoPause.after])).toEqual([
    ["sound", [], 200],
    ["sender", [], 200],
    ["plan", [], 0],
    ["part", [], 0],
  ]);
  for (const { id, name } of items) {
    const found = campaigns.get({ campaignId: id }, host());
    if (name === "sound") await expect(found).resolves.toMatchObject({ from: given.from });
    else await expect(found).rejects.toThrow("is damaged");
  }
});

test("a template's version is shown though its sample data is damaged", async () => {
  const { templates, templateVersions } = world.posthorn;
  const order = { name: "order", subject: "Your {{article}}", text: "Sent." };
  const { id: templateId } = await templates.create({ ...order, sampleData: { article: "coat" } }, host());
  database.exec("update posthorn_template_versions set sample_data = '{'");
  const { items } = await templateVersions.list({ templateId }, host());
  const [version] = items;
  if (version === undefined) throw new Error("a template has no version");
  expect(await templateVersions.get({ templateId, versionId: version.id }, host())).toMatchObject({
    subject: "Your {{article}}",
    sampleData: {},
  });
});
