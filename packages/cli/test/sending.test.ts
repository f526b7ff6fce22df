import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { toCliError } from "../src/program/errors/to-cli-error.ts";
import { openVerbWorld } from "./verb-world.ts";

test("sends an e-mail with its own content or by a template, and refuses both at once", async () => {
  const { run, world } = await openVerbWorld();
  const to = ["--to", "ada@example.com"];
  const [sent] = await run(
    "emails",
    "send",
    ...to,
    "--subject",
    "Moved",
    "--html",
    "<p>x</p>",
    "--tag",
    "news",
  );
  expect(sent).toMatchObject({ subject: "Moved", template: null, tags: ["news"], status: "queued" });
  const { id: sentId } = sent as { id: string };
  expect(await run("emails", "show", sentId, "--html")).toEqual(["<p>x</p>"]);
  await expect(run("emails", "show", sentId, "--text")).rejects.toMatchObject({ failure: "not_found" });
  await expect(run("emails", "show", sentId, "--html", "--text")).rejects.toThrow("cannot be used with");
  await expect(run("emails", "send", ...to, "--subject", "x")).rejects.toThrow("either --template");
  await expect(run("emails", "send", ...to, "--text", "x")).rejects.toThrow("needs a --subject");
  expect(await run("emails")).toMatchObject([[{ subject: "Moved" }]]);
  const later = new Date(world.clock.now() + 3_600_000).toISOString();
  expect(await run("emails", "reschedule", sentId, later)).toMatchObject([
    { status: "scheduled", scheduled_at: later },
  ]);
  expect(await run("emails", "cancel", sentId)).toMatchObject([{ status: "cancelled" }]);
});

test("a dry run reports every problem of a send, and sends nothing", async () => {
  const { run, world, shop } = await openVerbWorld();
  const mail = ["emails", "send", "--to", "ada@example.com", "--subject", "s", "--text", "t", "--dry-run"];
  expect(await run(...mail)).toMatchObject([{ would_send: true, subject: "s", reasons: [] }]);
  await expect(run(...mail, "--deliver-before", "2020-01-01T00:00:00Z")).rejects.toMatchObject({
    code: "deadline_passed",
  });
  const file = fileURLToPath(import.meta.url);
  expect(await run(...mail, "--attach", file)).toMatchObject([{ would_send: true }]);
  expect(await run("emails")).toEqual([[]]);
  // No file is left behind.
  expect(await world.storage.attachments.unusedOf(shop.id)).toMatchObject({ handles: 0 });
});

test("a send with files that is repeated under its idempotency key gets the first answer", async () => {
  const { run } = await openVerbWorld();
  const mail = ["--subject", "s", "--text", "t", "--attach", fileURLToPath(import.meta.url)];
  const list = join(mkdtempSync(join(tmpdir(), "posthorn-list-")), "list.csv");
  onTestFinished(() => rmSync(join(list, ".."), { recursive: true }));
  writeFileSync(list, "email\nada@example.com\n");
  for (const send of [
    ["emails", "send", "--to", "ada@example.com", "--idempotency-key", "one"],
    ["batches", "send", list, "--idempotency-key", "many"],
  ])
    for (const replayed of [false, true]) expect(await run(...send, ...mail)).toMatchObject([{ replayed }]);
});

test("sends through the named server with the named fields, and includes a sensitive e-mail's files in the request", async () => {
  const { run, world, shop } = await openVerbWorld();
  await run("smtp-servers", "create", "relay", "mail.example.com");
  const mail = ["emails", "send", "--to", "ada@example.com", "--subject", "s", "--text", "t"];
  const file = fileURLToPath(import.meta.url);
  const [sent] = await run(
    ...mail,
    "--smtp-server",
    "relay",
    "--header",
    "X-Order: 7: a",
    "--sensitive",
    "--attach",
    file,
  );
  const { id, smtp_server_id: server } = sent as { id: string; smtp_server_id: string };
  expect(sent).toMatchObject({ attachments: [{ filename: "", size: readFileSync(file).byteLength }] });
  expect(await run("smtp-servers")).toMatchObject([[{ id: server, name: "relay" }]]);
  expect((await world.storage.emails.content(id))?.payload?.headers).toEqual([
    { name: "X-Order", value: "7: a" },
  ]);
  expect(await world.storage.attachments.unusedOf(shop.id)).toMatchObject({ handles: 0 });
  expect(await run(...mail, "--smtp-server", server)).toMatchObject([{ smtp_server_id: server }]);
  await expect(run(...mail, "--smtp-server", "gone")).rejects.toThrow('no mail server "gone"');
  await expect(run(...mail, "--header", "X-Order 7")).rejects.toThrow("--header must be a name and a value");
  await expect(run(...mail, "--header", "X-A: 1", "--header", "X-A: 2")).rejects.toThrow("gives X-A twice");
});

test("uploads, shows and deletes a file", async () => {
  const { run, api, shop } = await openVerbWorld();
  const path = fileURLToPath(import.meta.url);
  const [file] = (await run("attachments", "upload", path, "--name", "test.txt")) as { id: string }[];
  expect(file).toMatchObject({ filename: "test.txt", size: readFileSync(path).byteLength });
  expect(await run("attachments", "show", file?.id ?? "")).toMatchObject([{ filename: "test.txt" }]);
  await expect(run("attachments", "upload", `${path}.gone`)).rejects.toMatchObject({ failure: "not_found" });
  await run("attachments", "delete", file?.id ?? "");
  const gone = api.on(shop.id).request("GET /attachments/{id}", { id: file?.id ?? "" });
  await expect(gone).rejects.toMatchObject({ code: "not_found" });
});

test("sends batches from CSV and NDJSON, in pieces, as a dry run first, shows and cancels them", async () => {
  const { run, shop, world, told } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-batches-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, lines: string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  };
  await world.posthorn.templates.create(
    { name: "offer", subject: "{{name}} at {{shop}}", text: "Hello" },
    shop.asOwner,
  );
  const people = file("people.csv", [
    "email,name",
    "ada@example.com,Ada",
    "nobody,No",
    "",
    "bob@example.com,Bob",
    "ADA@example.com,Ada",
  ]);
  const sharing = ["--template", "offer", "--data", '{"shop": "Acme"}', "--tag", "spring"];
  await expect(run("batches", "send", people, ...sharing)).rejects.toThrow("Nothing was sent.");
  expect(told.join("\n")).toMatch(
    /line 3, to: is not an e-mail address[^\n]*\nline 6, to: ADA@example\.com is given twice/,
  );
  await expect(run("batches", "send", people, ...sharing, "--dry-run")).rejects.toThrow("would be refused");
  const [sent] = await run("batches", "send", people, ...sharing, "--skip-invalid");
  expect(sent).toMatchObject({ emails: [{ index: 0 }, { index: 2 }], skipped: [{ index: 1 }, { index: 3 }] });
  expect(told.join("\n")).toMatch(/line 3, nobody: [^\n]*\nline 6, ADA@example\.com: /);
  const faulty = ["batches", "send", file("faulty.csv", ["email", "nobody"]), ...sharing, "--skip-invalid"];
  await expect(run(...faulty)).rejects.toThrow("Nothing was sent: the only e-mail is left out");
  await expect(run(...faulty, "--dry-run")).rejects.toThrow(
    "Nothing would be sent: all e-mails are left out",
  );
  const id = (sent as { batch_id: string }).batch_id;
  expect(await run("emails", "list", "--batch", id)).toMatchObject([
    [{ subject: "Bob at Acme", tags: ["spring"] }, { subject: "Ada at Acme" }],
  ]);
  const spring = ["emails", "list", "--workspace", "Shop", "--tag", "spring"];
  expect(await run(...spring)).toMatchObject([[{ subject: "Bob at Acme" }, { subject: "Ada at Acme" }]]);
  expect(await run(...spring, "--metadata", "a=b=c", "--metadata", "d=e")).toEqual([[]]);
  await expect(run(...spring, "--metadata", "a")).rejects.toThrow("order=1007");
  await expect(run(...spring, "--metadata", "a=1", "--metadata", "a=2")).rejects.toThrow("more than once");
  expect(await run("batches", "show", id)).toMatchObject([{ counts: { total: 4, queued: 2, skipped: 2 } }]);
  expect(await run("batches", "cancel", id)).toEqual([{ cancelled: 2 }]);
  const lines = [1, 2, 3].map((n) =>
    JSON.stringify({ to: [`p${n}@example.com`], subject: `No ${n}`, text: "T" }),
  );
  const receipts = file("receipts.jsonl", lines);
  const key = ["--idempotency-key", "night", "--size", "2"];
  const [first] = await run("batches", "send", receipts, ...key);
  expect(first).toMatchObject([{ emails: [{ index: 0 }, { index: 1 }] }, { emails: [{ index: 0 }] }]);
  const again = (of: unknown) => (of as { replayed: boolean }[]).map((one) => ({ ...one, replayed: true }));
  expect(first).not.toEqual(again(first));
  expect(await run("batches", "send", receipts, ...key)).toEqual([again(first)]);
  expect(told.at(-1)).toMatch(/^3 e-mails had been accepted before, under the same key: batch /);
  const longest = ["--idempotency-key", "k".repeat(255), "--size", "1"];
  const [long] = await run("batches", "send", receipts, ...longest);
  expect(await run("batches", "send", receipts, ...longest)).toEqual([again(long)]);
  const half = file("half.jsonl", [...lines, "{"]);
  await expect(run("batches", "send", half, "--size", "2")).rejects.toThrow("half.jsonl, line 4");
  expect(told.at(-1)).toMatch(/the first 2 were accepted before this: batch [\w-]{36}$/);
  const body = { subject: "S", text: "T", recipients: [{ to: "x@example.com", key: "x" }] };
  const [tried] = await run("batches", "send", file("body.json", [JSON.stringify(body)]), "--dry-run");
  expect(tried).toMatchObject({ would_send: true, counts: { total: 1, accepted: 1 } });
  const one = { to: "x@example.com", subject: "S", text: "T" };
  for (const wrong of [{ recipients: one }, { emails: "all" }, { ...body, emails: [one] }])
    await expect(
      run("batches", "send", file("wrong.json", [JSON.stringify(wrong)]), "--dry-run"),
    ).rejects.toThrow("wrong.json must have one list, of recipients or of emails.");
  await expect(run("batches", "send", file("broken.jsonl", ["{}", "{"]))).rejects.toThrow(
    /broken\.jsonl, line 2 is not a JSON object/,
  );
});

test("a fault of what all e-mails of a batch share is told of the option, and not as one of a line", async () => {
  const { run, told } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-batches-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "people.csv");
  writeFileSync(path, "email\nada@example.com\nbob@example.com\n");
  const batch = ["batches", "send", path, "--subject", "s", "--text", "t", "--tag", "", "--tag", ""];
  const refusal: unknown = await run(...batch, "--from", "nobody").catch((error: unknown) => error);
  const called = { noun: "batches", args: [], options: ["--from", "--tag"] };
  expect(toCliError(refusal, called).message).toBe(
    '--from is not an e-mail address such as "a@b.example" or "Name <a@b.example>". ' +
      "--tag, number 1 must have at least 1 character. --tag, number 2 must have at least 1 character.",
  );
  expect(told).toEqual([]);
});

test("a dry run of a batch that was sent before, or whose recipients are suppressed, refuses it no more than a send", async () => {
  const { run, shop, world } = await openVerbWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-batches-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "people.ndjson");
  writeFileSync(path, '{"to":"ada@example.com","dedupe_key":"offer ada"}\n');
  const batch = ["batches", "send", path, "--subject", "s", "--text", "t"];
  await run(...batch);
  expect(await run(...batch, "--dry-run")).toMatchObject([{ would_send: false, reasons: [] }]);
  expect(await run(...batch)).toMatchObject([{ emails: [], skipped: [{ code: "deduplicated" }] }]);
  writeFileSync(path, '{"to":"bob@example.com"}\n');
  await world.posthorn.suppressions.create({ email: "bob@example.com" }, shop.asOwner);
  expect(await run(...batch, "--dry-run")).toMatchObject([{ would_send: false, counts: { suppressed: 1 } }]);
  expect(await run(...batch)).toMatchObject([{ emails: [{ status: "suppressed" }] }]);
});
