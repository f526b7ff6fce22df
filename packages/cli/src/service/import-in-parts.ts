import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import type { RejectedLine } from "@posthorn/core";
import { splitListFile } from "@posthorn/core/internal";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { createProgress } from "../terminal/progress.ts";
import { assertReadable, streamStdin } from "../terminal/read-input.ts";

/** A list in a file, and the function that takes its parts. */
export interface PartedImport<T> {
  /** Path of the file; `-` is standard input, as CSV. */
  path: string;
  list: "suppressions" | "recipients";
  /** Line to begin at. */
  fromLine: number;
  /** Returns the sentence that says how to continue at a line. Default: by the same command. */
  goOn?: ((fromLine: number) => string) | undefined;
  /** Sends a part as NDJSON; its result numbers the lines within the part, from 1. An empty one ends the import. */
  send: (content: Uint8Array<ArrayBuffer>, parts: JoinedParts) => Promise<T>;
}

/** Fields that join the parts of an import, so that it has one event. */
export interface JoinedParts {
  import_id: string;
  more: boolean;
}

/** Result of all parts. */
export interface ImportOutcome<T> {
  answers: T[];
  rejected: RejectedLine[];
  rejected_total: number;
  last_line: number;
}

/** Maximum number of rejected lines printed for people; JSON has up to 1,000. */
const shown = 10;
const told = 1_000;

/**
 * Imports a file of any size part by part, so that neither its size nor its duration reaches a limit, and reports
 * rejected lines. Stops at Ctrl-C, and then, as after an error, says where to continue.
 */
export async function importInParts<T extends { rejected: RejectedLine[]; rejected_total: number }>(
  { output, signal }: Pick<CommandContext, "output" | "signal">,
  { path, list, fromLine, goOn = goOnAlike, send }: PartedImport<T>,
): Promise<ImportOutcome<T>> {
  assertReadable(path);
  const progress = createProgress("lines", undefined);
  const importId = randomUUID();
  const done: ImportOutcome<T> = { answers: [], rejected: [], rejected_total: 0, last_line: fromLine - 1 };
  const reject = (lines: RejectedLine[], total: number): void => {
    done.rejected_total += total;
    done.rejected.push(...lines.slice(0, told - done.rejected.length));
  };
  try {
    const format = /\.(?:ndjson|jsonl?)$/i.test(path) ? "ndjson" : "csv";
    const content = path === "-" ? streamStdin() : createReadStream(path);
    for await (const part of splitListFile(content, { format, list, fromLine })) {
      if (signal.aborted) break;
      reject(part.rejected, part.rejected.length);
      if (part.lines.length > 0) {
        const answer = await send(part.content, { import_id: importId, more: true });
        const named = answer.rejected.map(({ line, ...what }) => ({
          line: part.lines[line - 1] ?? 0,
          ...what,
        }));
        reject(named, answer.rejected_total);
        done.answers.push({ ...answer, rejected: [] });
      }
      done.last_line = part.lastLine;
      progress.add(part.lines.length + part.rejected.length);
    }
  } catch (error) {
    if (done.last_line >= fromLine)
      output.warn(`All lines up to ${done.last_line} are done. ${goOn(done.last_line + 1)}`);
    else if (goOn !== goOnAlike) output.warn(`No line of it is done. ${goOn(fromLine)}`);
    throw error;
  } finally {
    progress.end();
    // Without it the server adds the event later.
    if (done.last_line >= fromLine)
      await send(new Uint8Array(), { import_id: importId, more: false }).catch(() => undefined);
  }
  done.rejected.sort((a, b) => a.line - b.line);
  for (const { line, value, message } of done.rejected.slice(0, shown))
    output.warn(`line ${line}: ${value === "" ? "" : `"${value}" `}${message}`);
  if (done.rejected_total > shown)
    output.warn(`${done.rejected_total - shown} more rejected lines are not shown.`);
  return done;
}

/** The command may have any options: a profile, a workspace, a dry run. */
const goOnAlike = (fromLine: number): string => `Continue with the same command and --resume ${fromLine}.`;

/** Throws an error that says where to continue if the import was ended by Ctrl-C. */
export function assertWhole(
  { signal }: Pick<CommandContext, "signal">,
  { last_line: line }: { last_line: number },
  goOn = goOnAlike,
): void {
  if (signal.aborted)
    throw new CliError("interrupted", `The import stopped after line ${line}.`, goOn(line + 1));
}
