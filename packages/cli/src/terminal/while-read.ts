import { spawn } from "node:child_process";
import { fstatSync } from "node:fs";

/**
 * Yields what is to be written as it comes, and watches meanwhile whether the pipe still has a reader (`| head -1`): the
 * next item may be hours away. Without one the output ends as a failed write ends it.
 */
export async function* whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const end = watchReader(() =>
    process.stdout.emit("error", Object.assign(new Error("nobody reads standard output"), { code: "EPIPE" })),
  );
  try {
    yield* items;
  } finally {
    end();
  }
}

/**
 * Calls back once nobody reads standard output, or has the stream report it. Of a pipe, Node can't find that out, but GNU's
 * tail does, and dies of SIGPIPE. Another tail, or none, reports nothing: then the next write finds out.
 */
function watchReader(onGone: () => void): () => void {
  const output = fstatSync(1);
  if (output.isSocket()) return watchSocket();
  if (!output.isFIFO()) return () => {};
  // It ends with this process, however that ends, and must not hold the pipe open for longer.
  const args = [`--pid=${process.pid}`, "-s", "0.25", "-f", "/dev/null"];
  const watch = spawn("tail", args, { stdio: ["ignore", 1, "ignore"] });
  watch.on("error", () => {});
  watch.on("exit", (_code, signal) => {
    if (signal === "SIGPIPE") onGone();
  });
  watch.unref();
  return () => watch.kill();
}

/** To write nothing into a socket, such as that of sshd or of a program in Node, fails if its other end is closed. */
function watchSocket(): () => void {
  const timer = setInterval(() => {
    if (process.stdout.writableLength === 0) process.stdout.write("");
  }, 250);
  timer.unref();
  return () => clearInterval(timer);
}
