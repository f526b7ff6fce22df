import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { openVerbWorld } from "./verb-world.ts";

/** Writes a list of addresses, more than two parts of it, and then the lines that are given. */
function writeList(...lines: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-lists-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "list.csv");
  const people = Array.from({ length: 12_000 }, (_, n) => `u${n}@example.com`);
  writeFileSync(path, `${["email,reason", ...people, ...lines].join("\n")}\n`);
  return path;
}

async function openWorld() {
  const opened = await openVerbWorld();
  const sums = async (type: string) => {
    const { items } = await opened.world.storage.events.list(
      { type, workspaceId: "all" },
      { offset: 0, limit: 100 },
    );
    return items.map(({ metadata }) => JSON.parse(metadata));
  };
  return { ...opened, sums };
}

test("a file of suppressions that is sent in parts has one event, and a faulty line is named", async () => {
  const { run, told, sums } = await openWorld();
  const path = writeList("nobody", "last@example.com");
  expect(await run("suppressions", "import", path, "--dry-run")).toMatchObject([{ added: 12_001 }]);
  expect(await run("suppressions", "import", path)).toMatchObject([
    { added: 12_001, rejected: [{ line: 12_002 }], rejected_total: 1, last_line: 12_003 },
  ]);
  expect(told).toContainEqual(expect.stringContaining('line 12002: "nobody"'));
  expect(await sums("suppression.imported")).toEqual([{ count: 12_001 }]);
});

test.each(["list.ndjson", "list.jsonl", "list.json"])(
  "lines of JSON in %s are read as such",
  async (name) => {
    const { run } = await openWorld();
    const folder = mkdtempSync(join(tmpdir(), "posthorn-lists-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, name);
    writeFileSync(path, '{"EmailAddress":"gone@example.com","Reason":"BOUNCE"}\n');
    expect(await run("suppressions", "import", path)).toMatchObject([{ added: 1, rejected: [] }]);
  },
);

/** Writes a list whose line 12,002 never ends. */
function writeBrokenList(): string {
  const path = writeList('x@example.com,"open');
  // More than a line may have.
  writeFileSync(path, "never closed\n".repeat(20_000), { flag: "a" });
  return path;
}

test("a file that can't be read to its end has one event about what came before, and the error says where", async () => {
  const { run, told, sums } = await openWorld();
  const path = writeBrokenList();
  const goOn = "All lines up to 12001 are done. Continue with the same command and --resume 12002.";
  const unreadable = { message: expect.stringContaining("from line 12002 on") };
  await expect(run("suppressions", "import", path, "--dry-run")).rejects.toMatchObject(unreadable);
  expect(told).toContainEqual(goOn);
  expect(await sums("suppression.imported")).toEqual([]);
  await expect(run("suppressions", "import", path)).rejects.toMatchObject(unreadable);
  expect(told.filter((line) => line === goOn)).toHaveLength(2);
  expect(await sums("suppression.imported")).toEqual([{ count: 12_000 }]);
});

test("a campaign whose list can't be read to its end says how to add the rest", async () => {
  const { run, told } = await openWorld();
  const path = writeBrokenList();
  await expect(
    run("campaigns", "create", "Spring", "--subject", "Hi", "--text", "x", "--recipients", path),
  ).rejects.toMatchObject({ message: expect.stringContaining("from line 12002 on") });
  expect(told).toContainEqual(
    `All lines up to 12001 are done. Continue with posthorn campaigns add 1 --resume 12002, and this command's --recipients, --workspace and --profile.`,
  );
});

test("a campaign's recipients that are sent in parts have one event", async () => {
  const { run, sums } = await openWorld();
  const path = writeList();
  await run("campaigns", "create", "Spring", "--subject", "Hi", "--text", "x");
  expect(await run("campaigns", "add", "Spring", "--recipients", path)).toMatchObject([{ added: 12_000 }]);
  expect(await sums("campaign.updated")).toEqual([
    expect.objectContaining({ name: "Spring", added: 12_000 }),
  ]);
});

test("a campaign is not made for a list that can't be read, and one whose list is faulty is named", async () => {
  const { run, told } = await openWorld();
  const create = (path: string) =>
    run("campaigns", "create", "Spring", "--subject", "Hi", "--text", "x", "--recipients", path);
  const folder = mkdtempSync(join(tmpdir(), "posthorn-lists-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "list.csv");
  await expect(create(path)).rejects.toMatchObject({ message: `There is no file ${path}.` });
  await expect(create(folder)).rejects.toMatchObject({
    message: `${folder} can't be read: it is a folder.`,
  });
  expect(await run("campaigns", "list")).toEqual([[]]);
  writeFileSync(path, "name,city\nAda,London\n");
  await expect(create(path)).rejects.toMatchObject({
    message: expect.stringContaining("can't be read from line 1 on"),
  });
  expect(told).toContainEqual(
    expect.stringMatching(/^No line of it is done\. Continue with posthorn campaigns add 1 --resume 1,/),
  );
});

test.each([
  ["suppressions", "import"],
  ["batches", "send"],
])("%s %s names a list that can't be read as its user does", async (...verb) => {
  const { run } = await openWorld();
  await expect(run(...verb, "missing.csv")).rejects.toMatchObject({
    failure: "not_found",
    message: "There is no file missing.csv.",
  });
  await expect(run(...verb, tmpdir())).rejects.toMatchObject({
    message: `${tmpdir()} can't be read: it is a folder.`,
  });
});

test("a list may come through a pipe that has a name", async () => {
  const { run } = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), "posthorn-lists-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const written = writeFile(pipe, "email\ngone@example.com\n");
  expect(await run("suppressions", "import", pipe)).toMatchObject([{ added: 1 }]);
  await written;
});

test("a list whose pipe Ctrl-C ends in the middle of a line is stored up to the line before", async () => {
  const { run, world, shop } = await openWorld();
  const stdin = new PassThrough();
  const given = vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as never);
  onTestFinished(() => given.mockRestore());
  // Another listener, as a command has, so that the signal does not end this process.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  onTestFinished(() => void process.removeListener("SIGINT", ignore));
  stdin.once("end", () => setImmediate(() => setImmediate(() => process.emit("SIGINT"))));
  stdin.end("email\nada@example.com\nbob@example.co");
  await expect(run("suppressions", "import", "-")).rejects.toMatchObject({ failure: "interrupted" });
  const { items } = await world.posthorn.workspace(shop.id).suppressions.list({});
  expect(items).toMatchObject([{ email: "ada@example.com" }]);
});
