import { CliError } from "../../program/cli-error.ts";
import { paint } from "../../terminal/paint.ts";

/** Prints the demo step by step, and records it. */
export interface Story {
  /** Announces a step and runs it; an error names the step. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Prints a call with the status of its response. */
  called(method: string, path: string, status: number): void;
  /** Prints a line of the result. */
  tell(line: string): void;
  /** Prints several lines unchanged, such as a mail's text. */
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

/** Creates a story that prints through `write`. */
export function createStory(write: (line: string) => void): Story {
  const steps: StepRecord[] = [];
  return {
    steps,
    async step(title, work) {
      const record: StepRecord = { step: steps.length + 1, title, calls: [] };
      steps.push(record);
      write(`\n${paint("cyan", String(record.step).padStart(2))} ${paint("bold", title)}`);
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
      const [verb, end] = [method.padEnd(4), paint(status < 400 ? "green" : "red", String(status))];
      write(`${indent}${verb} ${path} ${paint("dim", "→")} ${end}`);
    },
    tell: (line) => write(`${indent}${line}`),
    quote(label, text) {
      write(`${indent}${paint("dim", label)}`);
      for (const line of text.replace(/\s+$/, "").split("\n")) {
        write(`${indent}${paint("dim", "│")} ${line.replace(/\p{Cc}/gu, " ")}`);
      }
    },
  };
}
