import { CliError } from "../../program/errors/cli-error.ts";
import { paint } from "../../terminal/paint.ts";
import { wrapText } from "../../terminal/wrap-text.ts";

/** Prints the demo step by step, and records it. */
export interface Story {
  /** Announces a step and runs it; an error names the step. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Prints a call with the status of its response. */
  called(method: string, path: string, status: number): void;
  /** Prints a line of the result. */
  tell(line: string): void;
  /** Prints several lines, such as a mail's text. */
  quote(label: string, text: string): void;
  /** The recorded steps, for `--json`. */
  readonly steps: readonly StepRecord[];
}

interface StepRecord {
  step: number;
  title: string;
  calls: { method: string; path: string; status: number }[];
}

const indent = "   ";

/** The ids in a path, of which the ends suffice to tell them apart. */
const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){4}(?=[0-9a-f]{8})/g;

/** Creates a story that prints through `write`, in lines of at most `width` columns; 0 is an unknown width. */
export function createStory(write: (line: string) => void, width = 0): Story {
  const steps: StepRecord[] = [];
  const lines = (text: string, margin: string): string[] =>
    width > 0 && text.length + margin.length > width ? wrapText(text, width - margin.length) : [text];
  return {
    steps,
    async step(title, work) {
      const record: StepRecord = { step: steps.length + 1, title, calls: [] };
      steps.push(record);
      const [first = "", ...rest] = lines(title, indent);
      write(`\n${paint("cyan", String(record.step).padStart(2))} ${paint("bold", first)}`);
      for (const part of rest) write(`${indent}${paint("bold", part)}`);
      try {
        return await work();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CliError("failed", `Step ${record.step} failed (${title}): ${reason}`, undefined, {
          cause: error,
          code: "demo_failed",
        });
      }
    },
    called(method, path, status) {
      steps.at(-1)?.calls.push({ method, path, status });
      const verb = method.padEnd(4);
      const margin = `${indent}${" ".repeat(verb.length + 1)}`;
      const end = ` ${paint("dim", "→")} ${paint(status < 400 ? "green" : "red", String(status))}`;
      // The room of the arrow and the status, which stand at the end of the last line.
      const parts = lines(path.replace(ids, "…"), `${margin} → ${status}`);
      for (const [at, part] of parts.entries())
        write(`${at === 0 ? `${indent}${verb} ` : margin}${part}${at === parts.length - 1 ? end : ""}`);
    },
    tell(line) {
      for (const part of lines(line, indent)) write(`${indent}${part}`);
    },
    quote(label, text) {
      write(`${indent}${paint("dim", label)}`);
      for (const line of text.replace(/\s+$/, "").split("\n")) {
        for (const part of lines(line.replace(/\p{Cc}/gu, " "), `${indent}| `))
          write(`${indent}${paint("dim", "│")} ${part}`);
      }
    },
  };
}
