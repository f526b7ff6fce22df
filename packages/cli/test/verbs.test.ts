import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { routes } from "@posthorn/http";
import { streamPath } from "@posthorn/http/internal";
import type { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import { asksOf } from "../src/program/verbs/add-verb.ts";
import { createProgram, openVerbWorld } from "./verb-world.ts";

const verbsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(verbsOf)];

/** Routes without a verb, with the reason. */
const withoutVerb: [RegExp, string][] = [
  [/ \/auth\//, "how a person comes in: the account pages and a front end"],
  [/ \/users\/me\b/, "a person's own account, which an operator is not"],
  [/ \/invitations(\/|$)/, "answered by whom they are addressed to, by the link in their mail"],
  [/^POST \/inbound\/\{provider\}/, "where relays post what came back; nobody else signs as they do"],
  [/^POST \/emails\/inbound$/, "for a program with a key; inbound feed does the same"],
  [
    /webhooks\/\{webhookId\}\/deliveries\/\{id\}\/redeliver$/,
    "webhooks redeliver takes the delivery's id alone",
  ],
];

test("every route of the API has a verb, or a reason to have none", async () => {
  const asked = new Set<string>(verbsOf(await createProgram()).flatMap(asksOf));
  const without = routes
    .map(({ signature }) => signature)
    .filter(
      (signature) => !asked.has(signature) && !withoutVerb.some(([pattern]) => pattern.test(signature)),
    );
  expect(without).toEqual([]);
  const reasons = withoutVerb.filter(([pattern]) => !routes.some(({ signature }) => pattern.test(signature)));
  expect(reasons).toEqual([]);
  expect(streamPath).toBe("/admin/events/stream");
});

test("settings, invitations and members of the only workspace need no --workspace", async () => {
  const { run, shop, told } = await openVerbWorld();
  const [settings] = await run("settings", "set", "--timezone", "Europe/Rome", "--webhook-retries", "5");
  expect(settings).toMatchObject({ workspace_id: shop.id, timezone: "Europe/Rome", webhook_retry_count: 5 });
  expect(await run("settings")).toMatchObject([{ timezone: "Europe/Rome" }]);
  const [invited] = await run("members", "invite", "eve@example.com", "--role", "viewer");
  expect(invited).toMatchObject({ email: "eve@example.com", role: "viewer", status: "pending" });
  expect(told).toContain("An invitation with the role viewer is queued for eve@example.com.");
  expect(await run("invitations")).toMatchObject([[{ email: "eve@example.com" }]]);
  await run("invitations", "cancel", "eve@example.com");
  expect(await run("invitations")).toEqual([[]]);
  await expect(run("members", "invite", "eve@example.com", "--role", "owner")).rejects.toThrow(
    /Allowed choices/,
  );
});

test("one of several workspaces must be named, by a unique name", async () => {
  const { run, world } = await openVerbWorld();
  const second = await world.addWorkspace({ name: "Other" });
  await world.addWorkspace({ name: "Other" });
  await expect(run("settings")).rejects.toThrow("There are 3 workspaces.");
  await expect(run("settings", "--workspace", "Other")).rejects.toThrow("2 workspaces are named");
  await expect(run("settings", "--workspace", "Nobody")).rejects.toMatchObject({ failure: "not_found" });
  expect(await run("settings", "--workspace", String(second.id))).toMatchObject([
    { workspace_id: second.id },
  ]);
});

test("changes, enables, disables and deletes a webhook and rotates its secret, by its URL", async () => {
  const { run, questions } = await openVerbWorld();
  const url = "https://shop.example/hooks";
  const [secret] = await run("webhooks", "create", url, "--event", "email.sent", "--event", "email.failed");
  expect(secret).toMatch(/^whsec_/);
  expect(await run("webhooks", "update", url, "--event", "*", "--filter", "shop.example")).toMatchObject([
    { events: ["*"], filters: ["shop.example"], is_active: true },
  ]);
  expect(await run("webhooks", "disable", url)).toMatchObject([{ is_active: false }]);
  await expect(run("webhooks", "test", url)).rejects.toMatchObject({ code: "webhook_disabled" });
  expect(await run("webhooks", "enable", url)).toMatchObject([{ is_active: true }]);
  const [rotated] = await run("webhooks", "rotate-secret", url);
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  expect(await run("webhooks", "test", url)).toMatchObject([{ event: "webhook.test", status: "pending" }]);
  await run("webhooks", "delete", url);
  expect(await run("webhooks")).toEqual([[]]);
  expect(questions).toEqual([expect.stringContaining("Replace"), `Delete the webhook ${url} of "Shop"?`]);
  await expect(run("webhooks", "show", url)).rejects.toMatchObject({ failure: "not_found" });
});

test("changes a campaign whose template was deleted", async () => {
  const { run, world, shop } = await openVerbWorld();
  const { templates } = world.posthorn.as(shop.owner).workspace(shop.id);
  const { id: templateId } = await templates.create({ name: "news", subject: "x", text: "x" });
  await run("campaigns", "create", "Spring", "--template", "news");
  await templates.delete({ templateId });
  expect(await run("campaigns", "update", "Spring", "--name", "Summer")).toMatchObject([
    { name: "Summer", template: "news" },
  ]);
});

test("creates and changes a campaign, and fills it from files, whose faulty lines are named", async () => {
  const { run, told, world } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-verbs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [people, more] = [join(folder, "people.csv"), join(folder, "more.ndjson")];
  writeFileSync(people, "email;name\r\nada@example.com;Ada\r\nnobody;x\r\n");
  writeFileSync(
    more,
    '{"to":"ADA@example.com"}\n[]\n{"to":"bob@example.com","template_data":{"name":"Bob"}}\n',
  );
  const content = ["--subject", "Hi {{name}}", "--text", "x"];
  const [made] = await run("campaigns", "create", "Spring", ...content, "--recipients", people);
  expect(made).toMatchObject({ name: "Spring", template: null, recipients: 1 });
  expect(told).toContainEqual(expect.stringContaining('line 3: "nobody" is not an e-mail address'));
  expect(await run("campaigns", "add", "Spring", "--recipients", more)).toMatchObject([
    {
      added: 1,
      duplicates: 1,
      rejected: [{ line: 2, value: "[]", message: "is not a JSON object" }],
      rejected_total: 1,
      last_line: 3,
    },
  ]);
  expect(told).toContain("1 recipient is added; 1 was already listed; 1 line is left out.");
  expect(await run("campaigns", "add", "Spring", "--recipients", more, "--resume", "3")).toMatchObject([
    { added: 0, duplicates: 1 },
  ]);
  expect(told.at(-1)).toBe("0 recipients are added; 1 was already listed.");
  const plan = ["--per-second", "0.5", "--ramp", "100:2:day", "--max-bounces", "0.1", "--tag", "spring"];
  const [changed] = await run(
    "campaigns",
    "update",
    "Spring",
    ...content,
    ...plan,
    "--reply-to",
    "a@b.example",
  );
  expect(changed).toMatchObject({
    pace: { per_second: 0.5, per_hour: null },
    ramp: { first: 100, factor: 2, every: "day" },
    auto_pause: { bounce_rate: 0.1, complaint_rate: 0.003, after: 200 },
    recipients: 2,
  });
  // Fields that are not given stay unchanged.
  const terms = join(folder, "terms.txt");
  writeFileSync(terms, "Terms");
  expect(await run("campaigns", "update", "Spring", "--attach", terms)).toMatchObject([
    { attachments: [{ filename: "terms.txt", size: 5 }] },
  ]);
  expect(await run("campaigns", "update", "Spring", "--name", "Summer", "--per-hour", "9")).toMatchObject([
    {
      ...{ name: "Summer", pace: { per_second: 0.5, per_hour: 9 }, tags: ["spring"] },
      ...{ reply_to: ["a@b.example"], attachments: [{ filename: "terms.txt" }] },
    },
  ]);
  expect(await run("campaigns", "update", "Summer", "--attach", "none")).toMatchObject([{ attachments: [] }]);
  const inline = ["--html", "<img src=cid:logo>", "--inline", `${terms}=logo`];
  expect(await run("campaigns", "create", "Files", "--subject", "x", ...inline)).toMatchObject([
    { attachments: [{ filename: "terms.txt", content_id: "logo" }] },
  ]);
  await expect(run("campaigns", "create", "None")).rejects.toMatchObject({ failure: "usage" });
  await run("campaigns", "start", "Summer");
  await world.posthorn.drain();
  expect(await run("campaigns", "pause", "Summer")).toMatchObject([{ status: "paused" }]);
  await world.storage.campaigns.count([
    { campaignId: (changed as { id: number }).id, counter: "opened", by: 2 },
  ]);
  expect(await run("campaigns", "watch", "Summer")).toMatchObject([
    { status: "paused", counts: { opened: 2, clicked: 0 } },
  ]);
  expect(told.at(-1)).toMatch(/^"Summer" is paused: .* 0 cancelled, 2 opened\.$/);
  await run("campaigns", "resume", "Summer");
  const watching = run("campaigns", "watch", "Summer");
  await expect.poll(() => told).toContainEqual(expect.stringContaining("No worker reports"));
  await run("campaigns", "pause", "Summer");
  await watching;
  await world.storage.operations.beat("a worker", world.clock.now());
  await run("campaigns", "resume", "Summer");
  await run("queue", "pause");
  const waiting = run("campaigns", "watch", "Summer");
  await expect.poll(() => told).toContainEqual(expect.stringMatching(/Delivery is paused.*queue resume/));
  await expect(run("campaigns", "delete", "Summer")).rejects.toThrow(
    "The campaign is running: only a draft can be deleted. Cancel it instead",
  );
  await run("campaigns", "cancel", "Summer");
  await waiting;
});

test("ensures users and workspaces by external ids", async () => {
  const { run, told } = await openVerbWorld();
  const edith = ["users", "ensure", "user/42", "--email", "edith@acme.example", "--name"];
  const [made] = await run(...edith, "Edith");
  expect(made).toMatchObject({ email: "edith@acme.example", external_id: "user/42" });
  expect(await run(...edith, "E")).toEqual([{ ...(made as object), name: "E" }]);
  expect(await run("users", "link", "edith@acme.example", "user-1")).toMatchObject([
    { external_id: "user-1" },
  ]);
  const ensure = ["workspaces", "ensure", "tenant-7", "--owner", "edith@acme.example", "--name"];
  const [acme] = await run(...ensure, "Acme");
  expect(await run(...ensure, "The Acme")).toEqual([
    { ...(acme as object), name: "The Acme", updated_at: expect.anything() },
  ]);
  expect(await run("members", "list", "--workspace", "The Acme")).toMatchObject([
    [{ role: "owner", name: "E" }],
  ]);
  expect(told.join("\n")).toContain('has the external id "tenant-7"');
});

test("renames, transfers and deletes a workspace, each after confirmation", async () => {
  const { run, shop, questions } = await openVerbWorld();
  const heir = await shop.addMember("admin");
  expect(await run("workspaces", "update", "Shop", "The Shop")).toMatchObject([{ name: "The Shop" }]);
  await run("workspaces", "transfer", "The Shop", String(heir.userId));
  expect(await run("members")).toMatchObject([
    expect.arrayContaining([expect.objectContaining({ user_id: heir.userId, role: "owner" })]),
  ]);
  await run("workspaces", "delete", "The Shop");
  expect(await run("workspaces")).toEqual([[]]);
  expect(questions).toHaveLength(2);
});

test("adds, limits, tests and removes a mail server, and never shows its password", async () => {
  const { run, questions } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-servers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "password.txt");
  writeFileSync(file, "sesame\n");
  const login = ["--username", "shop", "--password-file", file];
  await run("smtp-servers", "create", "relay", "mail.example.com", ...login, "--max-per-second", "0.5");
  const [made] = await run("smtp-servers", "show", "relay");
  expect(made).toMatchObject({ port: 587, has_password: true, max_per_second: 0.5, from_domains: [] });
  expect(JSON.stringify(made)).not.toContain("sesame");
  await run("smtp-servers", "update", "relay", "--max-per-second", "none", "--from-domain", "shop.example");
  expect(await run("smtp-servers")).toMatchObject([
    [{ max_per_second: null, from_domains: ["shop.example"], has_password: true }],
  ]);
  await expect(run("smtp-servers", "update", "relay", "--max-per-hour", "-1")).rejects.toThrow(/up to/);
  await expect(run("smtp-servers", "update", "relay", "--smtp-host", "b.example.com")).rejects.toThrow();
  await run("smtp-servers", "delete", "relay");
  expect(questions).toEqual(['Remove the mail server relay from "Shop"?']);
  expect(await run("smtp-servers")).toEqual([[]]);
});

test("writes types of templates, and --check detects an outdated file", async () => {
  const { run, api, shop } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "src", "templates.d.ts");
  const { request } = api.on(shop.id);
  const { id } = await request("POST /workspaces/current/templates", {
    name: "hi",
    subject: "{{a}}",
    text: "t",
  });
  await run("templates", "types", "--output", file);
  expect(readFileSync(file, "utf8")).toContain("hi: {\n    a: TemplateValue;\n  };");
  await run("templates", "types", "--output", file, "--check");
  const version = { templateId: id, subject: "{{b}}", text: "t" };
  const { id: versionId } = await request(
    "POST /workspaces/current/templates/{templateId}/versions",
    version,
  );
  const activate = "POST /workspaces/current/templates/{templateId}/activate/{versionId}";
  await request(activate, { templateId: id, versionId });
  await expect(run("templates", "types", "--output", file, "--check")).rejects.toMatchObject({
    failure: "failed",
  });
  await expect(run("templates", "types", "--check")).rejects.toMatchObject({ failure: "usage" });
});

test("--all reads every page, and shows nothing twice", async () => {
  const { run, world } = await openVerbWorld();
  for (let at = 1; at < 130; at += 1) await world.addUser();
  const [page] = (await run("users")) as { id: number }[][];
  const [all] = (await run("users", "list", "--all")) as { id: number }[][];
  expect(page).toHaveLength(20);
  expect(new Set(all?.map(({ id }) => id)).size).toBe(130);
  expect(all).toHaveLength(130);
});

test("prints names for shell completion, and nothing for unknown kinds", async () => {
  const { run, api, shop } = await openVerbWorld();
  const template = { name: "welcome $(touch ran)", subject: "s", text: "t" };
  await api.on(shop.id).request("POST /workspaces/current/templates", template);
  expect(await run("completion", "names", "templates")).toEqual(["welcome $(touch ran)"]);
  expect(await run("completion", "names", "workspaces")).toEqual(["Shop"]);
  expect(await run("completion", "names", "users")).toEqual([expect.stringContaining("@example.com")]);
  await run("campaigns", "create", "Spring", "--subject", "Hi", "--text", "x");
  await run("domains", "add", "shop.example");
  await run("inbound-endpoints", "create", "generic");
  expect(await run("completion", "names", "campaigns")).toEqual(["Spring"]);
  expect(await run("completion", "names", "domains")).toEqual(["shop.example"]);
  expect(await run("completion", "names", "inbound-endpoints")).toEqual(["generic"]);
  expect(await run("completion", "names", "templates", "--workspace", "Nobody")).toEqual([]);
  expect(await run("completion", "names", "constructor")).toEqual([]);
});
