import { expect, test } from "vitest";
import { createOutput } from "../terminal/output.ts";
import { applyChanges, type Change, diffFiles } from "./apply-changes.ts";

function changesOf(applied: string[], interruption: AbortController): Change[] {
  return ["a", "b", "c"].map((name) => ({
    kind: "template",
    name,
    action: "create",
    diffs: [],
    apply: async () => {
      applied.push(name);
      if (name === "b") interruption.abort();
    },
  }));
}

const silent = {
  ...createOutput({ json: true }),
  record: () => {},
  done: () => {},
  note: () => {},
};

test("an interruption stops between two changes and says so", async () => {
  const interruption = new AbortController();
  const applied: string[] = [];
  const told: string[] = [];
  const context = {
    output: { ...silent, warn: (text: string) => void told.push(text) },
    signal: interruption.signal,
    confirm: async () => {},
  };
  const changes = changesOf(applied, interruption);
  await applyChanges(context, changes, { doing: "Pushing", dryRun: false, question: undefined });
  expect(applied).toEqual(["a", "b"]);
  expect(told).toEqual(["Stopped after 2 of 3. Run it again to continue."]);
});

test("applies nothing in a dry run, or after a no", async () => {
  const interruption = new AbortController();
  const applied: string[] = [];
  const context = {
    output: silent,
    signal: interruption.signal,
    confirm: () => Promise.reject(new Error("no")),
  };
  const changes = changesOf(applied, interruption);
  const question = (count: number): string => `${count}?`;
  await applyChanges(context, changes, { doing: "Pushing", dryRun: true, question });
  await expect(applyChanges(context, changes, { doing: "Pushing", dryRun: false, question })).rejects.toThrow(
    "no",
  );
  expect(applied).toEqual([]);
});

test("summarises the changes before asking, with the lines of each file", async () => {
  const told: string[] = [];
  const change: Change = {
    kind: "template",
    name: "hi\u202e",
    action: "add_version",
    diffs: diffFiles(new Map([["hi.txt", "a\nb\n"]]), new Map([["hi.txt", "a\nc\nd\n"]])),
    apply: async () => {},
  };
  await applyChanges(
    {
      output: { ...silent, interactive: true, note: (text: string) => void told.push(text) },
      signal: new AbortController().signal,
      confirm: async (question) => void told.push(question),
    },
    [change],
    { doing: "Pushing", dryRun: false, question: (count) => `Push ${count}?` },
  );
  expect(told).toEqual(["add version template hi�: hi.txt +2 -1", "Push 1?"]);
});

test("names a source once, and which part of its output differs", async () => {
  const told: unknown[] = [];
  const diffs = [
    { file: "news.tsx", part: "html" as const, lines: [{ mark: "+" as const, text: "a" }] },
    { file: "news.tsx", part: "text" as const, lines: [{ mark: "+" as const, text: "a" }] },
  ];
  const change: Change = { kind: "template", name: "news", action: "create", diffs, apply: async () => {} };
  const context = {
    output: {
      ...silent,
      interactive: true,
      note: (text: string) => void told.push(text),
      record: (_: unknown, items?: unknown) => void told.push(items),
    },
    signal: new AbortController().signal,
    confirm: async () => {},
  };
  await applyChanges(context, [change], { doing: "Pushing", dryRun: false, question: () => "Push?" });
  expect(told).toEqual([
    "create template news: news.tsx: its html +1 -0, news.tsx: its text +1 -0",
    [expect.objectContaining({ files: ["news.tsx"] })],
  ]);
});
