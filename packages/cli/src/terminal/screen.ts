import { constants } from "node:os";

/** Exclusive use of the terminal. */
export interface Screen {
  /** Draws the lines for the current size. */
  draw(): void;
  /** Aborts when the user leaves with `q`. */
  readonly left: AbortSignal;
  /** Restores the terminal. */
  close(): void;
}

/** The parts of a terminal that a screen needs. */
export interface Terminal {
  stdin: Pick<NodeJS.ReadStream, "isTTY" | "setRawMode" | "on" | "off" | "resume" | "pause">;
  stdout: Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "on" | "off">;
  /** Asks the command to end, as Ctrl-C does if the terminal reads keys itself. */
  interrupt(): void;
  /** Runs at the end of the process, whatever the cause. Returns a function that cancels it. */
  atExit(restore: () => void): () => void;
}

const enter = "\x1b[?1049h\x1b[?25l";
const leave = "\x1b[?25h\x1b[?1049l";
const home = "\x1b[H";
const clearLine = "\x1b[K";
const clearBelow = "\x1b[J";

/**
 * Takes over the terminal; its previous contents return at the end. `linesOf` returns no more lines than fit, and none
 * too long.
 */
export function openScreen(
  linesOf: (size: { columns: number; rows: number }) => string[],
  terminal: Terminal = ownTerminal,
): Screen {
  const { stdin, stdout } = terminal;
  const leaving = new AbortController();
  let isOpen = true;
  const draw = (): void => {
    if (!isOpen) return;
    // A pseudo-terminal whose size nobody set tells 0.
    const [columns, rows] = [stdout.columns || 80, stdout.rows || 24];
    // The last line stays free, because a terminal scrolls when it is filled.
    const lines = linesOf({ columns, rows: Math.max(1, rows - 1) });
    stdout.write(
      `${home}${lines.map((line) => `${line}${clearLine}`).join("\r\n")}${clearLine}\r\n${clearBelow}`,
    );
  };
  const onKey = (chunk: Buffer | string): void => {
    const keys = String(chunk);
    if (keys.includes("\x03")) terminal.interrupt();
    else if (/^[qQ]/.test(keys)) leaving.abort();
  };
  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stdout.write(leave);
    if (stdin.isTTY) stdin.setRawMode(false);
  };
  stdout.write(enter);
  stdout.on("resize", draw);
  if (stdin.isTTY) {
    stdin.setRawMode(true);
    stdin.on("data", onKey);
    stdin.resume();
  }
  const stay = terminal.atExit(restore);
  return {
    draw,
    left: leaving.signal,
    close() {
      stay();
      stdout.off("resize", draw);
      stdin.off("data", onKey);
      stdin.pause();
      restore();
    },
  };
}

const ownTerminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  interrupt: () => void process.kill(process.pid, "SIGINT"),
  atExit(restore) {
    // A signal that ends the process runs no handlers of its end.
    const end = (name: NodeJS.Signals): void => process.exit(128 + constants.signals[name]);
    process.on("exit", restore);
    process.on("SIGTERM", end);
    process.on("SIGHUP", end);
    return () => {
      process.off("exit", restore);
      process.off("SIGTERM", end);
      process.off("SIGHUP", end);
    };
  },
};
