import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const smtpSink = "/usr/sbin/smtp-sink";

/** A mail server that accepts everything: postfix's smtp-sink if installed, else our own in another process. */
export interface Sink {
  name: string;
  port: number;
  stop(): void;
}

export async function startSink(): Promise<Sink> {
  const port = await freePort();
  const own = !existsSync(smtpSink);
  const child: ChildProcess = own
    ? spawn(process.execPath, [join(import.meta.dirname, "servers/sink.ts"), String(port)], {
        stdio: "ignore",
      })
    : spawn(smtpSink, [...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), `127.0.0.1:${port}`, "1000"], {
        stdio: "ignore",
      });
  await answering(port);
  return { name: own ? "own sink" : "postfix smtp-sink", port, stop: () => void child.kill("SIGKILL") };
}

/** Returns a free port on loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const there = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("data", () => {
        socket.end("QUIT\r\n");
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (there) return;
    await delay(50);
  }
  throw new Error("the mail sink does not answer");
}
