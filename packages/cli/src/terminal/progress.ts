import { leaveOpen, startLine } from "./open-line.ts";

/** Tells on standard error how far long work is. */
export interface Progress {
  /** So many more are done. */
  add(count: number): void;
  /** Ends the line; call it whatever came of the work. */
  end(): void;
}

export interface ProgressOptions {
  stream?: Pick<NodeJS.WriteStream, "write" | "isTTY"> & { columns?: number };
  /** ms, of a clock that only goes forward. */
  now?: () => number;
  /** So many of the total were done before, as by a run that was interrupted. Default 0. */
  before?: number;
}

/** Ms between lines: often where a line is written over, seldom where each one stays. */
const onTerminalMs = 100;
const elsewhereMs = 5_000;

/** Shows count, rate and time left: one line written over on a terminal, a line every five seconds elsewhere. `total` may be unknown. */
export function createProgress(
  what: string,
  total: number | undefined,
  { stream = process.stderr, now = () => performance.now(), before = 0 }: ProgressOptions = {},
): Progress {
  const started = now();
  const isTerminal = stream.isTTY === true;
  let done = 0;
  let told = started;

  const tell = (): void => {
    told = now();
    const counts = describeProgress(done, total, { elapsedMs: told - started, before });
    // A line that is broken can't be written over.
    const room = (stream.columns ?? 80) - 1 - counts.length - 2;
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

/** Ms from the start in which the pace says nothing of how long it will take. */
const unsteadyMs = 3_000;

/** `1,200 of 5,000 (24 %), 400 a second, 10 s left`: of what was done before, the count knows, and the pace does not. */
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
