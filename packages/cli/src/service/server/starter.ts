import { readFileSync } from "node:fs";

/**
 * Identifies what started this process: its parent and, if a shell of npm's is between the two, npm. Some shells become
 * the program that they run at last; Debian's stays, and outlives a killed npm.
 */
export function starter(): string {
  const parent = process.ppid;
  const above = factsOf(parent)?.parent;
  const isNpm = above !== undefined && /^p?npm/.test(factsOf(above)?.name ?? "");
  return isNpm ? `${parent} ${above}` : `${parent}`;
}

/** Reads a process's name and parent; `undefined` if it has ended, and where the system shows none (proc(5)). */
function factsOf(pid: number): { name: string; parent: number } | undefined {
  try {
    const [, name = "", parent] =
      /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
