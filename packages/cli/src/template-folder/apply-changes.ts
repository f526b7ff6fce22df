import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { toCliError } from "../program/errors/to-cli-error.ts";
import { type DiffLine, diffLines, showDiff } from "../terminal/line-diff.ts";
import { createProgress } from "../terminal/progress.ts";
import { safeText } from "../terminal/safe-text.ts";

/** A difference of a file, or of what a source that is rendered makes of one. */
export interface Diff {
  file: string;
  /** What of the source's output differs; `undefined` for the file itself. */
  part?: "html" | "text" | "details" | undefined;
  lines: DiffLine[];
}

/** A difference between a folder and a workspace, and the function that removes it. */
export interface Change {
  kind: "template" | "stylesheet" | "file";
  name: string;
  action: "create" | "add_version" | "update" | "activate" | "write" | "unchanged";
  /** Differences by file. */
  diffs: Diff[];
  apply(): Promise<void>;
  /** Rejects if `apply` would be refused, as far as can be told without doing it. */
  check?(): Promise<void>;
}

/** Returns the differences of files, by name, without equal ones. */
export function diffFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Diff[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((file) => ({ file, lines: diffLines(before.get(file) ?? "", after.get(file) ?? "") }))
    .filter(({ lines }) => lines.length > 0);
}

export interface Applying {
  /** Word before the count, such as "Pushing". */
  doing: string;
  dryRun: boolean;
  /** Question before any change; `undefined` for none. */
  question: ((count: number) => string) | undefined;
}

/**
 * Shows the differences, asks, and then applies the changes one after the other. After an interruption, another run
 * continues. A dry run checks them instead, and throws what would refuse them.
 */
export async function applyChanges(
  context: Pick<CommandContext, "output" | "signal" | "confirm">,
  changes: readonly Change[],
  { doing, dryRun, question }: Applying,
): Promise<void> {
  const { output, signal } = context;
  const due = changes.filter(({ action }) => action !== "unchanged");
  for (const change of due) {
    const shown = change.diffs.map((diff) => showDiff(`  ${placeOf(diff)}`, diff.lines));
    if (!output.json) output.data([`● ${titleOf(change)}`, ...shown].join("\n"));
  }
  if (dryRun) await checkAll(due);
  const wire = ({ kind, name, action, diffs }: Change, done: boolean) => ({
    kind,
    name,
    action,
    done,
    files: filesIn(diffs),
  });
  let done = 0;
  if (!dryRun && due.length > 0) {
    if (question !== undefined) {
      // Long differences have scrolled out of view by now.
      if (output.interactive) for (const change of due) output.note(summaryOf(change));
      await context.confirm(question(due.length));
    }
    const progress = createProgress(doing, due.length);
    try {
      for (const change of due) {
        if (signal.aborted) break;
        await change.apply();
        done += 1;
        progress.add(1);
      }
    } finally {
      progress.end();
    }
  }
  if (output.json)
    output.record(
      {},
      changes.map((change) => wire(change, due.indexOf(change) < done && due.includes(change))),
    );
  const same = changes.length - due.length;
  if (dryRun) output.note(`${due.length} would change, ${same} are the same. Nothing was done.`);
  else if (done < due.length)
    output.warn(`Stopped after ${done} of ${due.length}. Run it again to continue.`);
  else output.done(`${done} changed, ${same} were the same.`);
}

/** Checks every change. Throws an error with the faults of all. */
async function checkAll(changes: readonly Change[]): Promise<void> {
  const checked = await Promise.allSettled(changes.map(async (change) => change.check?.()));
  const faults = checked.flatMap((one) => (one.status === "rejected" ? [toCliError(one.reason)] : []));
  const [first] = faults;
  if (first === undefined) return;
  const { failure, hint, code } = first;
  const told = faults.map(({ message }) => message).join("\n");
  throw new CliError(failure, told, hint, { cause: first, code });
}

/** `news.html`, or `news.mjml: its html`. */
const placeOf = ({ file, part }: Diff): string => (part === undefined ? file : `${file}: its ${part}`);

/** Names the files of differences, each once. */
export const filesIn = (diffs: readonly Diff[]): string[] => [...new Set(diffs.map(({ file }) => file))];

const titleOf = ({ kind, name, action }: Change): string =>
  safeText(`${action.replace("_", " ")} ${kind} ${name}`);

/** `add version template welcome: welcome.html +3 -1`. */
function summaryOf(change: Change): string {
  const files = change.diffs.map((diff) => {
    const count = (wanted: DiffLine["mark"]): number =>
      diff.lines.filter(({ mark }) => mark === wanted).length;
    return `${safeText(placeOf(diff))} +${count("+")} -${count("-")}`;
  });
  return `${titleOf(change)}${files.length === 0 ? "" : `: ${files.join(", ")}`}`;
}
