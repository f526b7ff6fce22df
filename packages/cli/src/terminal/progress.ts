import { canRewrite } from "./can-rewrite.ts";
import { leaveOpen, startLine } from "./open-line.ts";

/** Shows the progress of long work on standard error. */
export interface Progress {
  /** Adds to the number of finished items. */
  add(count: number): void;
  /** Ends the line; to be called even if the work failed. */
  end(): void;
}

export interface ProgressOptions {
  stream?: Pick<NodeJS.WriteStream, "write" | "isTTY"> & { columns?: number };
  /** Monotonic clock, in ms. */
  now?: () => number;
  /** Number of items that were finished before, as by an interrupted run. Default 0. */
  before?: number;
}

/** Ms between updates: short if the line is rewritten, long if each one stays. */
const onTerminalMs = 100;
const elsewhereMs = 5_000;

/**
 * Creates a progress display with count, rate and time left: one rewritten line on a terminal, a line every five
 * seconds elsewhere. `total` may be unknown.
 */
export function createProgress(
  what: string,
  total: number | undefined,
  { stream = process.stderr, now = () => performance.now(), before = 0 }: ProgressOptions = {},
): Progress {
  const started = now();
  const isTerminal = canRewrite(stream);
  let done = 0;
  let told = started;

  const tell = (): void => {
    told = now();
    const counts = describeProgress(done, total, { elapsedMs: told - started, before });
    // A wrapped line can't be rewritten.
    const room = (stream.columns || 80) - 1 - counts.length - 2;
    const name = what.length <= room ? what : `${what.slice(0, Math.max(1, room - 1))}…`;
    stream.write(isTerminal ? `\r\x1b[K${name}: ${counts}` : `${what}: ${counts}\n`);
    if (isTerminal) leaveOpen(stream);
  };
  return {
    add(count) {
      done += count;
      if (now() - told >= (isTerminal ? onTerminalMs : elsewhereMs)) tell();
    },
    end() {
      if (!isTerminal) return;
      tell();
      startLine(stream);
    },
  };
}

/** Ms from the start in which the rate is too unsteady for an estimate of the time left. */
const unsteadyMs = 3_000;

/**
 * Returns `1,200 of 5,000 (24 %), 400 a second, 10 s left`. Items finished before count for the total, and not for the
 * rate.
 */
export function describeProgress(
  done: number,
  total: number | undefined,
  { elapsedMs, before = 0 }: { elapsedMs: number; before?: number },
): string {
  const number = (value: number): string => Math.round(value).toLocaleString("en");
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0;
  const pace = rate >= 10 || rate === 0 ? number(rate) : rate.toFixed(1);
  const sum = before + done;
  if (total === undefined) return `${number(sum)}, ${pace} a second`;
  const share = total === 0 ? 100 : Math.floor((sum * 100) / total);
  const isSteady = rate > 0 && elapsedMs >= unsteadyMs;
  const left = isSteady && sum < total ? `, ${duration((total - sum) / rate)} left` : "";
  return `${number(sum)} of ${number(total)} (${share} %), ${pace} a second${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
