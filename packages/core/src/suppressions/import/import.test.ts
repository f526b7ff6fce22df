import { expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../../test/world-for-each.ts";

openWorldForEach();

const people = (count: number): string =>
  Array.from({ length: count }, (_, index) => `u${index}@example.com\n`).join("");
const verbs = () => world.posthorn.workspace(shop.id);
const imported = (text: string, over: object = {}) =>
  verbs().suppressions.import({ content: Buffer.from(text), ...over });
const events = async () =>
  (
    await world.storage.events.list(
      { type: "suppression.imported", workspaceId: shop.id },
      { offset: 0, limit: 100 },
    )
  ).items.map(({ metadata }) => JSON.parse(metadata) as unknown);
async function exported(format: "csv" | "ndjson"): Promise<string> {
  const pieces = [];
  for await (const chunk of (await verbs().suppressions.export({ format })).content) pieces.push(chunk);
  return Buffer.concat(pieces).toString();
}

test("a file without a header has its columns in their usual order", async () => {
  expect(await imported("Ada@example.com,asked\nbob@example.com,,news\n")).toMatchObject({
    added: 2,
    rejectedTotal: 0,
    lastLine: 2,
  });
  const { items } = await verbs().suppressions.list();
  expect(items.find(({ email }) => email === "bob@example.com")).toMatchObject({ scope: "news" });
  await expect(imported("nobody\nada@example.com\n")).rejects.toThrow(
    "neither a column email nor an address",
  );
});

test("a file is imported with one event, and importing it again changes nothing", async () => {
  const file = "email,scope,reason\nAda@example.com,,asked\nnobody\nbob@example.com,news,\n";
  const rejected = [
    { line: 3, value: "nobody", message: expect.stringContaining("neither an e-mail address") },
  ];
  expect(await imported(file)).toEqual({
    added: 2,
    updated: 0,
    unchanged: 0,
    rejected,
    rejectedTotal: 1,
    lastLine: 4,
  });
  expect(await imported(file)).toMatchObject({ added: 0, unchanged: 2 });
  expect(await events()).toEqual([{ count: 2 }]);
  expect((await verbs().suppressions.list()).items).toMatchObject([
    { email: "bob@example.com", scope: "news", origin: "import" },
    { email: "Ada@example.com", scope: "*", reason: "asked" },
  ]);
});

test("a dry run reports the result, and stores nothing", async () => {
  await verbs().suppressions.create({ email: "ada@example.com" });
  const soon = new Date(world.clock.now() + 60_000).toISOString();
  await verbs().suppressions.create({ email: "bob@example.com", expiresAt: soon });
  const file = "email\nada@example.com\nbob@example.com\neve@example.com\neve@example.com\nx\n";
  const counts = { added: 1, updated: 1, unchanged: 2, rejectedTotal: 1 };
  expect(await imported(file, { dryRun: true })).toMatchObject(counts);
  expect((await verbs().suppressions.list()).total).toBe(2);
  expect(await imported(file)).toMatchObject(counts);
});

test("a dry run counts repeated addresses far apart as the import does", async () => {
  const people = Array.from({ length: 1_500 }, (_, n) => `p${n}@example.com`).join("\n");
  const file = `email\n${people}\n${people}\n`;
  const counts = { added: 1_500, updated: 0, unchanged: 1_500 };
  expect(await imported(file, { dryRun: true })).toMatchObject(counts);
  expect(await imported(file)).toMatchObject(counts);
});

test("entries before an unreadable line are stored, and the rest can follow", async () => {
  const people = Array.from({ length: 1_500 }, (_, n) => `p${n}@example.com`).join("\n");
  await expect(imported(`email\n${people}\n"${"c@d.example,open\n".repeat(8_000)}`)).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("from line 1502 on"),
  });
  expect(await events()).toEqual([{ count: 1_500 }]);
  expect(await imported(`email\n${people}\nc@d.example\n`, { fromLine: 1_502 })).toMatchObject({
    added: 1,
    unchanged: 0,
  });
  expect(await verbs().suppressions.list({})).toMatchObject({ total: 1_501 });
});

test("many lines are imported in pieces, with one event, and at most 1,000 skipped ones are listed", async () => {
  const good = Array.from({ length: 2_500 }, (_, index) => `u${index}@example.com`);
  const bad = Array.from({ length: 1_200 }, (_, index) => `bad${index}`);
  const done = await imported(["email", ...good, ...bad].join("\n"));
  expect(done).toMatchObject({ added: 2_500, rejectedTotal: 1_200, lastLine: 3_701 });
  expect(done.rejected).toHaveLength(1_000);
  expect(await events()).toEqual([{ count: 2_500 }]);
});

test("concurrent sends and imports: addresses are stopped once the import has answered", async () => {
  const addresses = Array.from({ length: 60 }, (_, index) => `u${index}@example.com`);
  const mails = addresses.map((to) => ({ subject: "Hi", text: "x", to: [to] }));
  const during = Promise.allSettled(mails.map((mail) => verbs().emails.send(mail)));
  await imported(["email", ...addresses].join("\n"));
  const after = await Promise.allSettled(mails.map((mail) => verbs().emails.send(mail)));
  expect(after.filter(({ status }) => status === "fulfilled")).toEqual([]);
  await during;
});

test("stops when the caller loses the permission in the middle of an import", async () => {
  const editor = await shop.addMember("editor");
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`email\n${people(1_010)}`);
    await world.storage.members.setRole(shop.id, editor.userId, "viewer");
    yield Buffer.from("late@example.com\n");
  }
  await expect(
    world.posthorn.suppressions.import({ content: lines() }, shop.as(editor)),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect((await verbs().suppressions.list()).total).toBe(1_000);
  expect(await events()).toEqual([{ count: 1_000 }]);
});

/** A thousand entries, and then a fault. */
async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`email\n${people(1_010)}`);
  throw new Error("the connection was lost");
}

test("an import that is cut off has one event about what it stored", async () => {
  await expect(verbs().suppressions.import({ content: cutOff() })).rejects.toThrow("lost");
  expect(await events()).toEqual([{ count: 1_010 }]);
  expect(await imported("a@example.com\n", { fromLine: 2 })).toMatchObject({ added: 0 });
  expect(await events()).toHaveLength(1);
});

test("a file of more than 64 MiB is refused, before reading if its size is known", async () => {
  const size = 64 * 1024 * 1024 + 1;
  const refusal = { code: "payload_too_large", message: expect.stringContaining("64 MiB") };
  const { suppressions } = verbs();
  await expect(suppressions.import({ content: Buffer.alloc(size) })).rejects.toMatchObject(refusal);
  await expect(suppressions.import({ content: Buffer.alloc(0), size })).rejects.toMatchObject(refusal);
});

test("an export can be imported unchanged: no address is changed, and no reason runs in a spreadsheet", async () => {
  const until = new Date(world.clock.now() + 60_000).toISOString();
  await verbs().suppressions.create({ email: "=1+1@example.com", reason: '=HYPERLINK("x"),\n"y"' });
  await verbs().suppressions.create({ email: "+ada@example.com", scope: "news", expiresAt: until });
  await verbs().suppressions.create({ email: "@gone.example", reason: "-x" });
  const [csv, ndjson] = [await exported("csv"), await exported("ndjson")];
  expect(csv).toContain(`=1+1@example.com,*,manual,"'=HYPERLINK(""x""),\n""y""",`);
  expect(ndjson).toContain('"reason":"=HYPERLINK(\\"x\\"),\\n\\"y\\""');
  for (const [content, contentType] of [
    [csv, "text/csv; charset=utf-8"],
    [ndjson, "application/x-ndjson"],
  ] as const) {
    const other = world.posthorn.workspace((await world.addWorkspace()).id);
    const done = await other.suppressions.import({ content: Buffer.from(content), contentType });
    expect(done).toMatchObject({ added: 3, rejectedTotal: 0 });
    expect((await other.suppressions.list()).items.map(({ email }) => email).sort()).toEqual([
      "+ada@example.com",
      "=1+1@example.com",
      "@gone.example",
    ]);
    expect(await other.suppressions.get({ email: "+ada@example.com", scope: "news" })).toMatchObject({
      expiresAt: Date.parse(until),
      createdAt: world.clock.now(),
    });
  }
});

test("a long list is exported in pieces, and yields in between", async () => {
  const many = Array.from({ length: 2_001 }, (_, index) => `u${index}@example.com`);
  await imported(["email", ...many].join("\n"));
  const sizes = [];
  for await (const chunk of (await verbs().suppressions.export({ format: "ndjson" })).content)
    sizes.push(Buffer.from(chunk).toString().split("\n").length - 1);
  expect(sizes).toEqual([1_000, 1_000, 1]);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const { content } = await verbs().suppressions.export({ format: "ndjson" });
  const before = turns;
  for await (const _ of content);
  expect(turns - before).toBeGreaterThanOrEqual(2);
  clearImmediate(immediate);
});
