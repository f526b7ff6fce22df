import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";
import { runCommand } from "./run-command.ts";
import { openVerbWorld } from "./verb-world.ts";

async function openShop() {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const call = { workspaceId: workspace.id };
  await world.posthorn.templates.create(
    { name: "welcome", text: "Hi {{name}}", subject: "Welcome, {{name}}" },
    call,
  );
  return { world, call };
}

const send = ["emails", "send", "--workspace", "Shop", "--template", "welcome", "--to", "bob@example.com"];

test("sends an e-mail by template with data from a file, and --wait ends when it is settled", async () => {
  const { world } = await openShop();
  writeFileSync(join(world.cwd, "bob.json"), '{"name": "Bob"}');
  const sending = world.start(...send, "--data", "@bob.json", "--tag", "t1", "--tag", "t2", "--wait");
  // Whoever is interrupted while it waits knows that it need not be sent again.
  await sending.waitForStderr(/ is accepted: "Welcome, Bob" [\s\S]*No worker reports/);
  world.posthorn.start();
  const ended = await sending.ended;
  await world.posthorn.stop();
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    status: "sent",
    subject: "Welcome, Bob",
    from: "Shop <shop@example.com>",
    tags: ["t1", "t2"],
    recipients: [{ address: "bob@example.com", state: "accepted", attempts: 1 }],
    attempts: [{ number: 1, outcome: "sent" }],
  });
});

test("refuses what can't be sent, and reports a time-out separately", async () => {
  const { world } = await openShop();
  const [missing, unknown, badData, slow] = await Promise.all([
    world.run(...send, "--json"),
    world.run(...send, "--template", "other"),
    world.run(...send, "--data", "{name"),
    world.run(...send, "--allow-missing", "--wait", "--wait-seconds", "1"),
  ]);
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.stderr).error).toMatchObject({
    code: "template_data_missing",
    details: { missing: ["name"] },
  });
  expect([unknown.code, badData.code, slow.code]).toEqual([3, 2, 7]);
});

test("lists the e-mails of SERVICE_WORKSPACE, or of all workspaces", async () => {
  const { world, call } = await openShop();
  const other = await world.posthorn.workspaces.ensure({ externalId: "other", name: "Other" });
  for (const workspaceId of [call.workspaceId, other.id])
    await world.posthorn.emails.send({ to: ["bob@example.com"], subject: "Hi", text: "Hi" }, { workspaceId });
  const env = { SERVICE_SMTP_URL: "capture:", SERVICE_WORKSPACE: "Other" };
  const listed = await runCommand(["emails", "list"], { cwd: world.cwd, env });
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
  expect(await world.json("emails", "list")).toHaveLength(2);
});

test("lists, shows and cancels e-mails after confirmation, and retries only failed ones", async () => {
  const { world, call } = await openShop();
  const order = { template: "welcome", to: ["bob@example.com"], templateData: { name: "Bob" } };
  const { id } = await world.posthorn.emails.sendTemplate(order, call);
  const [listed, none, shown, read, unsure, early] = await Promise.all([
    world.json<{ id: string }[]>("emails", "--status", "queued"),
    world.json<unknown[]>("emails", "list", "--workspace", "Shop", "--to", "eve@example.com"),
    world.json("emails", "show", id),
    world.run("emails", "show", id, "--format", "table"),
    world.run("emails", "cancel", id),
    world.run("emails", "retry", id),
  ]);
  expect(listed.map((email) => email.id)).toEqual([id]);
  expect(none).toEqual([]);
  expect(shown).toMatchObject({ id, status: "queued", recipients: [{ state: "pending" }] });
  expect(read.stdout).toMatch(/to bob@example\.com +pending +0 .*\n$/);
  expect([unsure.code, early.code]).toEqual([2, 5]);
  expect(unsure.stderr).toContain('Cancel "Welcome, Bob" to bob@example.com?');

  expect(await world.json("emails", "cancel", id, "--yes")).toMatchObject({ id, status: "cancelled" });
  const [again, unknown, odd] = await Promise.all([
    world.run("emails", "cancel", id, "--yes"),
    world.run("emails", "show", crypto.randomUUID()),
    world.run("emails", "show", "7"),
  ]);
  expect([again.code, unknown.code, odd.code]).toEqual([5, 3, 2]);
});

test("attaches files, and downloads them unchanged", async () => {
  const { world, call } = await openShop();
  const pdf = Buffer.from(Array.from({ length: 400_000 }, (_, index) => index % 256));
  writeFileSync(join(world.cwd, "terms.pdf"), pdf);
  writeFileSync(join(world.cwd, "logo.png"), "png");
  await world.posthorn.templates.create({ name: "page", subject: "S", html: '<img src="cid:logo">' }, call);
  const page = ["emails", "send", "--template", "page", "--to", "bob@example.com"];
  const sent = await world.json<{ id: string; attachments: object[] }>(
    ...page,
    "--attach",
    "terms.pdf",
    "--inline",
    "logo.png=logo",
  );
  expect(sent.attachments).toEqual([
    { position: 0, filename: "terms.pdf", content_type: "application/pdf", size: 400_000, content_id: null },
    { position: 1, filename: "logo.png", content_type: "image/png", size: 3, content_id: "logo" },
  ]);
  const [none, odd, saved] = await Promise.all([
    world.run(...page, "--attach", "nothing.pdf"),
    world.run(...page, "--inline", "logo.png"),
    world.posthorn.emails.getAttachment({ emailId: sent.id, position: 0 }, call),
  ]);
  expect([none.code, odd.code]).toEqual([3, 2]);
  expect([none.stderr, odd.stderr].join("\n")).toMatch(/no file nothing\.pdf.*--inline logo\.png=logo/s);
  const pieces: Uint8Array[] = [];
  for await (const piece of saved.content) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(pdf)).toBe(true);
});

test("sends an e-mail once per dedupe key, with the given options", async () => {
  const { world } = await openShop();
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const keyed = [...send, "--data", '{"name": "Bob"}', "--scheduled-at", at, "--dedupe-key", "order 7"];
  const first = await world.json<{ id: string }>(...keyed, "--priority", "high", "--sensitive", "--defer");
  expect(first).toMatchObject({ status: "scheduled", priority: "high", subject: "" });
  expect(first).toMatchObject({ deduplicated: false, replayed: false });
  expect(await world.json(...keyed)).toMatchObject({ id: first.id, deduplicated: true, replayed: false });
  expect((await world.run(...keyed)).stderr).toContain(
    `${first.id} was already accepted, under the same key`,
  );
});

test("--track says what is recorded, and refuses other words", async () => {
  const { world } = await openShop();
  const mail = ["emails", "send", "--workspace", "Shop", "--to", "bob@example.com", "--subject", "Hi"];
  const tried = [...mail, "--html", "<a href='https://shop.example'>Shop</a>", "--dry-run", "--json"];
  const [tracked, none, wrong] = await Promise.all([
    world.run(...tried, "--track", "opens,clicks"),
    world.run(...tried, "--track", "none"),
    world.run(...tried, "--track", "open"),
  ]);
  expect(JSON.parse(tracked.stdout).warnings).toMatchObject([{ code: "tracking_base_url" }]);
  expect(JSON.parse(none.stdout).warnings).toEqual([]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("It must be opens, clicks, opens,clicks, none or settings.");
});

test("a page beyond the end of a list says where that is", async () => {
  const { run, told, world, shop } = await openVerbWorld();
  for (const subject of ["A", "B", "C"])
    await world.posthorn.emails.send(
      { subject, text: "x", to: ["ada@example.com"] },
      { workspaceId: shop.id },
    );
  expect(await run("emails", "list", "--workspace", "Shop", "--size", "2", "--page", "7")).toEqual([[]]);
  expect(told).toEqual(["There are 3; the last page is --page 1."]);
});
