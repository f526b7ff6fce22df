import { expect, test } from "vitest";
import { createOutput } from "../terminal/output.ts";
import { applyChanges, type Change } from "./apply-changes.ts";

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
  ...createOutput({ json: true, debug: false }),
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
  expect(told).toEqual(["Stopped after 2 of 3. Run it again to go on from there."]);
});

test("nothing is applied in a dry run, nor after a no", async () => {
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
