/** Tells on standard error how far long work is. */
export interface Progress {
  /** So many more are done. */
  add(count: number): void;
  /** Ends the line; call it whatever came of the work. */
  end(): void;
}

export interface ProgressOptions {
  stream?: Pick<NodeJS.WriteStream, "write" | "isTTY">;
  /** ms, of a clock that only goes forward. */
  now?: () => number;
}

/** Ms between lines: often where a line is written over, seldom where each one stays. */
const onTerminalMs = 100;
const elsewhereMs = 5_000;

/** Shows count, rate and time left: one line written over on a terminal, a line every five seconds elsewhere. `total` may be unknown. */
export function createProgress(
  what: string,
  total: number | undefined,
  { stream = process.stderr, now = () => performance.now() }: ProgressOptions = {},
): Progress {
  const started = now();
  const isTerminal = stream.isTTY === true;
  let done = 0;
  let told = started;

  const tell = (): void => {
    told = now();
    const line = `${what}: ${describeProgress(done, total, told - started)}`;
    stream.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
  };
  return {
    add(count) {
      done += count;
      if (now() - told >= (isTerminal ? onTerminalMs : elsewhereMs)) tell();
    },
    end() {
      if (!isTerminal) return;
      tell();
      stream.write("\n");
    },
  };
}

/** `1,200 of 5,000 (24 %), 400 a second, 10 s left`. */
export function describeProgress(done: number, total: number | undefined, elapsedMs: number): string {
  const number = (value: number): string => Math.round(value).toLocaleString("en");
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0;
  const pace = rate >= 10 || rate === 0 ? number(rate) : rate.toFixed(1);
  if (total === undefined) return `${number(done)}, ${pace} a second`;
  const share = total === 0 ? 100 : Math.floor((done * 100) / total);
  const left = rate > 0 && done < total ? `, ${duration((total - done) / rate)} left` : "";
  return `${number(done)} of ${number(total)} (${share} %), ${pace} a second${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
