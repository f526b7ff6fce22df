import { join } from "node:path";
import type { Posthorn, Storage } from "@posthorn/core";
import { expect, onTestFinished } from "vitest";
import { startSmtpSink } from "../packages/cli/src/commands/demo/smtp-sink.ts";
import { loadConfig } from "../packages/cli/src/program/settings/config.ts";
import { openService } from "../packages/cli/src/service/open-service.ts";
import { makeFolder, type RunningCommand, startCommand } from "../packages/cli/test/run-command.ts";
import { emailIdOf, makeSender, sendOnce } from "../packages/cli/test/send-through-ends.ts";
import { ownTestServer } from "../packages/storage-postgres/test/open-test-storage.ts";
import { createTcpProxy } from "../packages/storage-postgres/test/tcp-proxy.ts";

/** A database with a workspace, a mail server, and as many services as a fault needs. */
export interface FaultWorld {
  posthorn: Posthorn;
  storage: Storage;
  workspaceId: number;
  apiKey: string;
  /** Number of copies of each e-mail at the mail server, by id. */
  copies: Map<string, number>;
  /** Ids of e-mails with a 202 response. */
  accepted: Set<string>;
  /** From now on delays each message between the services and the mail server by that many ms. */
  slowMail(ms: number): void;
  /** Closes every connection between the services and the mail server; new ones work. */
  cutMail(): void;
  /** Closes them, and redirects new ones to another server until `cutMail` is called. */
  leadMail(url: string): void;
  serve(options?: ServeOptions): Promise<Served>;
  /** Starts a `posthorn worker`; resolves once it delivers. */
  work(options?: ServeOptions): Promise<RunningCommand>;
  /** Waits until the queue is empty, then compares accepted e-mails with those that the mail server accepted. */
  settled(timeout?: number): Promise<{ lost: string[]; ghosts: string[]; twice: number }>;
}

interface ServeOptions {
  env?: Record<string, string>;
  /** See `RunOptions`. */
  under?: readonly string[];
}

/** A running `posthorn serve`. */
export interface Served extends RunningCommand {
  url: string;
  /** Sends a mail; returns the status, 0 without a response within 20 s. */
  send(): Promise<number>;
  /** Stops it with SIGTERM, and expects a successful exit. */
  stop(): Promise<void>;
}

export interface FaultWorldOptions {
  /** Folder of the database's file. Default: a new one. */
  folder?: string;
  /** PostgreSQL database to use instead of the file. */
  databaseUrl?: string;
  /** URL by which the services reach the database, if it differs. */
  serviceUrl?: string;
  /** Additional settings of the service. */
  env?: Record<string, string>;
}

/** Options for a world on SQLite, or on a database of its own on the tests' PostgreSQL. */
export const onEngine = async (engine: string): Promise<FaultWorldOptions> =>
  engine === "SQLite" ? {} : { databaseUrl: (await ownTestServer()).connectionString };

const secretKey = "only for the faults, 0123456789abcdef";

/** Opens a world whose mail server accepts everything; it ends with the test. */
export async function openFaultWorld(options: FaultWorldOptions = {}): Promise<FaultWorld> {
  const cwd = options.folder ?? makeFolder();
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(cwd, "posthorn.db")}`;
  const { values } = loadConfig({ databaseUrl }, { ...options.env, SERVICE_SECRET_KEY: secretKey }, {});
  const service = await openService(values, { database: "make" });
  onTestFinished(() => service.close());
  const { workspaceId, apiKey } = await makeSender(service.posthorn);
  const copies: FaultWorld["copies"] = new Map();
  const accepted: FaultWorld["accepted"] = new Set();
  const sink = await startSmtpSink({
    onMail: (mail) => copies.set(emailIdOf(mail), (copies.get(emailIdOf(mail)) ?? 0) + 1),
  });
  onTestFinished(() => sink.close());
  const way = await createTcpProxy(sink.url);
  onTestFinished(() => way.close());
  let sent = 0;

  function start(args: string[], { env = {}, under = [] }: ServeOptions): RunningCommand {
    const command = startCommand(args, {
      cwd,
      under,
      env: {
        SERVICE_DATABASE_URL: options.serviceUrl ?? databaseUrl,
        SERVICE_SECRET_KEY: secretKey,
        SERVICE_SMTP_URL: way.urlFor(sink.url),
        SERVICE_WORKER_LEASE_SECS: "2",
        SERVICE_LOG_LEVEL: "error",
        ...env,
      },
    });
    onTestFinished(() => void command.child.kill("SIGKILL"));
    return command;
  }

  async function serve(options: ServeOptions = {}): Promise<Served> {
    const command = start(["serve", "--port", "0"], options);
    const [, url = ""] = await command.waitForStderr(/Listening on (\S+)/);
    return {
      ...command,
      url,
      async send() {
        sent += 1;
        const key = `fault-${process.pid}-${sent}`;
        const nothing = { status: 0, id: "" };
        const late = new Promise<typeof nothing>((resolve) => setTimeout(resolve, 20_000, nothing).unref());
        const answer = await Promise.race([sendOnce(url, apiKey, key).catch(() => nothing), late]);
        if (answer.status === 202) accepted.add(answer.id);
        return answer.status;
      },
      async stop() {
        command.child.kill("SIGTERM");
        expect(await command.ended).toMatchObject({ code: 0 });
      },
    };
  }

  const unsettled = async (): Promise<number> => {
    const { due, waiting, leased } = await service.posthorn.queueStatus();
    return due + waiting + leased;
  };
  return {
    posthorn: service.posthorn,
    storage: service.storage,
    workspaceId,
    apiKey,
    copies,
    accepted,
    slowMail: way.delay,
    cutMail: () => way.leadTo(sink.url),
    leadMail: way.leadTo,
    serve,
    async work(options = {}) {
      const command = start(["worker"], options);
      await command.waitForStderr(/Delivering/);
      return command;
    },
    async settled(timeout = 60_000) {
      await expect.poll(unsettled, { timeout, interval: 100 }).toBe(0);
      return {
        lost: [...accepted].filter((id) => !copies.has(id)),
        ghosts: [...copies.keys()].filter((id) => !accepted.has(id)),
        twice: [...copies.values()].filter((count) => count > 1).length,
      };
    },
  };
}

/** Calls a function several times, one after the other; returns the results. */
export async function times<T>(count: number, call: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < count; at += 1) answers.push(await call());
  return answers;
}
