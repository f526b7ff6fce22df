import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readContent } from "./read-content.ts";

test("content that is empty where it was read is refused as such, beside other content it is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const empty = join(folder, "empty.txt");
  writeFileSync(empty, "");
  await expect(readContent({ html: undefined, text: `@${empty}`, files: [] })).rejects.toMatchObject({
    failure: "usage",
    message: "There is no content: what was to be read for it is empty.",
  });
  expect(await readContent({ html: "<p>Hello</p>", text: undefined, files: [empty] })).toEqual({
    html: "<p>Hello</p>",
    text: "",
  });
  expect(await readContent({ html: undefined, text: undefined, files: [] })).toEqual({});
});
