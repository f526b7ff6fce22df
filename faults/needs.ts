import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestContext } from "vitest";

/** Skips a test where a program is missing, and says which. */
export function needProgram(context: TestContext, program: string): void {
  if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0)
    context.skip(`${program} is not installed`);
}

/** Skips a test where the machine gives one no root rights, and says what for. */
export function needRoot(context: TestContext, purpose: string): void {
  if (process.getuid?.() !== 0) context.skip(`${purpose} takes root`);
}

/** Skips a test where a file of the system is missing, and says which. */
export function needFile(context: TestContext, path: string): void {
  if (!existsSync(path)) context.skip(`there is no ${path} here`);
}
