import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { planPull } from "./plan-pull.ts";
import { type FolderFault, readFolder } from "./read-folder.ts";

function makeFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "posthorn-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "mail"));
  return root;
}

test("a byte order mark, as some editors on Windows write, is no part of a file", async () => {
  const mail = join(makeFolder(), "mail");
  const files = {
    "hi.html": "<p>Hi</p>",
    "hi.txt": "Hi",
    "hi.json": '{"subject": "Hi"}',
    "shop.css": "p {}",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(mail, name), `\ufeff${text}`);
  const { templates, stylesheets } = await readFolder(mail);
  expect(templates.get("hi")).toEqual({ html: "<p>Hi</p>", text: "Hi", subject: "Hi" });
  expect(stylesheets.get("shop")).toBe("p {}");
  expect((await planPull(mail, new Map(Object.entries(files)))).overwrites).toBe(0);
});

test("a file that is not UTF-8 is refused, or told as its template's fault, and the others are read", async () => {
  const mail = join(makeFolder(), "mail");
  writeFileSync(join(mail, "hi.html"), "<p>Hi</p>");
  for (const name of ["hello.html", "shop.css"])
    writeFileSync(join(mail, name), Buffer.from("Grüße", "latin1"));
  writeFileSync(join(mail, "hello.txt"), "Grüße");
  const message = `${join(mail, "hello.html")} is not UTF-8 text.`;
  await expect(readFolder(mail)).rejects.toMatchObject({ failure: "usage", message });
  const faults: FolderFault[] = [];
  const { templates, stylesheets } = await readFolder(mail, { onFault: (fault) => void faults.push(fault) });
  expect(faults).toMatchObject([{ name: "hello", error: { message } }, { name: "shop" }]);
  expect([[...templates.keys()], [...stylesheets.keys()]]).toEqual([["hi"], []]);
});

test("a link to a file is the file; one to a folder or to nothing is left out", async () => {
  const root = makeFolder();
  const at = (name: string) => join(root, "mail", name);
  writeFileSync(join(root, "shared.html"), "<p>Shared</p>");
  symlinkSync("../shared.html", at("hi.html"));
  writeFileSync(at("hi.txt"), "Hi");
  symlinkSync("..", at("above.html"));
  // Emacs locks a file in this way.
  symlinkSync("ada@host.1234:1", at(".#hi.html"));
  const { templates } = await readFolder(join(root, "mail"));
  expect([...templates]).toEqual([["hi", { html: "<p>Shared</p>", text: "Hi" }]]);
});
