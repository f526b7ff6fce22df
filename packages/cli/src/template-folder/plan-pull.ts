import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CliError } from "../program/errors/cli-error.ts";
import { type Change, diffFiles } from "./apply-changes.ts";
import { readIfThere } from "./read-if-there.ts";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Plans the writing of files into a folder; `overwrites` counts existing files that differ. Rejects with a conflict if
 * two of them are one file on a disk that ignores case. So does a change whose file is no longer as it was compared.
 */
export async function planPull(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<{ changes: Change[]; overwrites: number }> {
  const changes: Change[] = [];
  let overwrites = 0;
  const bySmallName = new Map<string, string>();
  for (const [file, content] of files) {
    const path = join(folder, file);
    const twin = bySmallName.get(file.toLowerCase());
    if (twin !== undefined && (await isOneFile(join(folder, twin), path)))
      throw new CliError("conflict", `${twin} and ${file} are one file on this disk.`, renameOne);
    bySmallName.set(file.toLowerCase(), file);
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
        if ((await readIfThere(path)) !== before)
          throw new CliError(
            "conflict",
            `${path} has changed meanwhile, or is one file with another of its name on this disk.`,
            "Run it again: it is compared anew.",
          );
        await writeAtomically(path, content);
      },
    });
  }
  return { changes, overwrites };
}

const renameOne =
  "Names that differ by case alone need a disk that tells them apart, or another name for one of them.";

async function isOneFile(...paths: [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
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
