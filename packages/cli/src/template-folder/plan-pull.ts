import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Change, diffFiles } from "./apply-changes.ts";
import { readIfThere } from "./read-if-there.ts";
import { writeAtomically } from "./write-atomically.ts";

/** Plans the writing of files into a folder; `overwrites` counts existing files that differ. */
export async function planPull(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<{ changes: Change[]; overwrites: number }> {
  const changes: Change[] = [];
  let overwrites = 0;
  for (const [file, content] of files) {
    const path = join(folder, file);
    const before = await readIfThere(path);
    const same =
      before !== undefined &&
      (before === content || (file.endsWith(".json") && saysTheSame(before, content)));
    if (before !== undefined && !same) overwrites += 1;
    changes.push({
      kind: "file",
      name: file,
      action: same ? "unchanged" : "write",
      diffs: same ? [] : diffFiles(new Map([[file, before ?? ""]]), new Map([[file, content]])),
      async apply() {
        await writeAtomically(path, content);
      },
    });
  }
  return { changes, overwrites };
}

/** Whether a template already has all fields of a JSON file; fields left out don't matter. */
function saysTheSame(file: string, stored: string): boolean {
  try {
    const there = JSON.parse(stored) as Record<string, unknown>;
    return Object.entries(JSON.parse(file) as object).every(([key, value]) =>
      isDeepStrictEqual(value, there[key]),
    );
  } catch {
    return false;
  }
}
