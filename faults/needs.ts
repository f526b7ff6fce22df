import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestContext } from "vitest";

/** Skips a test if a program is missing, and names it. */
export function needProgram(context: TestContext, program: string): void {
  if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0)
    context.skip(`${program} is not installed`);
}

/** Skips a test without root rights, and says what they are for. */
export function needRoot(context: TestContext, purpose: string): void {
  if (process.getuid?.() !== 0) context.skip(`${purpose} takes root`);
}

/** Skips a test if a system file is missing, and names it. */
export function needFile(context: TestContext, path: string): void {
  if (!existsSync(path)) context.skip(`there is no ${path} here`);
}
