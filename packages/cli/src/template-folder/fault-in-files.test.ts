import { expect, test } from "vitest";
import { type Change, diffFiles } from "./apply-changes.ts";
import { namingFiles } from "./fault-in-files.ts";

const change = (files: Record<string, string>): Change => ({
  kind: "template",
  name: "news",
  action: "create",
  diffs: diffFiles(new Map(), new Map(Object.entries(files))),
  apply: async () => {},
});

test("names the source of a difference that it was rendered for, unless the folder has the file", () => {
  const files = [".json", ".mjml"].map((extension) => ({
    path: `mail/news${extension}`,
    extension,
    source: "",
  }));
  const diffs = (of: typeof files) =>
    namingFiles([change({ "news.html": "<p>", "news.txt": "a", "news.json": "{}" })], {
      files: new Map([["news", of]]),
    }).flatMap((named) => named.diffs.map(({ file, part }) => ({ file, part })));
  expect(diffs(files)).toEqual([
    { file: "news.mjml", part: "html" },
    { file: "news.mjml", part: "text" },
    { file: "news.json", part: undefined },
  ]);
  // Of a removed part, there is no file.
  expect(diffs(files.slice(0, 1)).map(({ file }) => file)).toEqual(["news.html", "news.txt", "news.json"]);
});
