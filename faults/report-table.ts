import type { Reporter, TestCase } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** Counts made while the fault was active. */
    figures?: string;
  }
}

/** Prints the result of each fault as a table, after all of them. */
export const reportTable: Reporter = {
  onTestRunEnd(modules): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    // If only some faults are run, the table leaves out the others.
    const rows = tests.filter((test) => !isLeftOut(test)).map(describeTest);
    if (rows.length === 0) return;
    const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
    const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
    console.log(`\n${lines.join("\n")}\n`);
  },
};

function isLeftOut(test: TestCase): boolean {
  const result = test.result();
  return result.state === "skipped" && result.note === undefined;
}

function describeTest(test: TestCase): string[] {
  const result = test.result();
  const seconds = `${Math.round((test.diagnostic()?.duration ?? 0) / 1000)} s`;
  switch (result.state) {
    case "passed":
      return ["held", test.fullName, [seconds, test.meta().figures].filter(Boolean).join("; ")];
    case "failed":
      return ["BROKEN", test.fullName, result.errors[0]?.message.split("\n")[0] ?? ""];
    case "skipped":
      return ["skipped", test.fullName, result.note ?? ""];
    default:
      return ["not run", test.fullName, ""];
  }
}
