import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";
import { installCommand } from "./install-command.ts";

test("the bundle includes the libraries loaded on demand: names of domains, CSV, types of files", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  writeFileSync(join(world.cwd, "list.csv"), "email\nada@example.com\n");
  writeFileSync(join(world.cwd, "terms.pdf"), "%PDF");
  expect(await world.json("domains", "add", "shop.example.com")).toMatchObject({ name: "shop.example.com" });
  expect(await world.json("suppressions", "import", "list.csv")).toMatchObject({ added: 1 });
  const mail = ["--to", "bob@example.com", "--subject", "S", "--text", "T", "--attach", "terms.pdf"];
  expect(await world.json("emails", "send", ...mail)).toMatchObject({
    attachments: [{ content_type: "application/pdf" }],
  });
});

test("the bundle is ASCII, so that V8 keeps it with one byte a character", () => {
  const files = globSync(join(installCommand(), "../../dist/*.js"));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => /\P{ASCII}/u.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("the bundle has neither comments nor a library's messages in other languages, which V8 would keep", () => {
  const files = globSync(join(installCommand(), "../../dist/*.js"));
  const kept = /^\/\/ \S+\.[jt]s$|Ung\\xFCltige Eingabe/m;
  expect(files.filter((file) => kept.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("the thread that delivers loads neither the use cases nor the library that validates their input", () => {
  const folder = join(installCommand(), "../../dist");
  const loaded = new Map<string, string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    const code = readFileSync(join(folder, name), "utf8");
    loaded.set(name, code);
    for (const [, next = ""] of code.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)) load(next);
  };
  load("delivery-thread.js");
  const code = [...loaded.values()].join("\n");
  expect(code).toContain("runDelivery");
  expect(code).toContain("emailQueue");
  expect(code).not.toMatch(/ZodObject|forgot-password|forgotPassword/);
});
