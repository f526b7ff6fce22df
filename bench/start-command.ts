import { spawn } from "node:child_process";
import { benchSecretKey } from "./bench-secret-key.ts";
import { freePort } from "./sink.ts";

/** A running process of Node. */
export interface Started {
  pid: number;
  stop(): Promise<void>;
}

/** Starts Node with nothing of this process's environment but the path. */
export function startNode(args: string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A running command of the packed packages, with the ports that it listens on if it is `serve`. */
export interface StartedCommand extends Started {
  port: number;
  metricsPort: number;
}

/** Starts the packed command, given by its arguments to Node, on a database and a mail server. */
export async function startCommand(
  args: string[],
  { url, smtpPort, env = {} }: { url: string; smtpPort: number; env?: Record<string, string> },
): Promise<StartedCommand> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const started = startNode(args, {
    SERVICE_DATABASE_URL: url,
    SERVICE_SECRET_KEY: benchSecretKey,
    SERVICE_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SERVICE_PORT: String(port),
    SERVICE_METRICS_PORT: String(metricsPort),
    SERVICE_LOG_LEVEL: "error",
    ...env,
  });
  return { ...started, port, metricsPort };
}
