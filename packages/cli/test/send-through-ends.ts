import { join } from "node:path";
import type { Storage } from "@posthorn/core";
import { expect, onTestFinished } from "vitest";
import { type ReceivedMail, startSmtpSink } from "../src/commands/demo/smtp-sink.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { openService } from "../src/service/open-service.ts";
import { makeFolder, type RunningCommand, startCommand } from "./run-command.ts";

export const concurrency = 8;
const clients = 16;

/** Records of all participants at the end. */
export interface Account {
  /** Id in the response for each key, as the clients saw it. */
  accepted: Map<string, string>;
  /** Responses that forbid a retry. */
  refused: unknown[];
  /** Mails that the mail server accepted, in order, with their round. */
  mails: { emailId: string; source: string; round: number }[];
  /** How the server ended in each round: an exit code or a signal. */
  endings: (number | string | null)[];
  storage: Storage;
  workspaceId: number;
}

/**
 * Sends e-mails to a server that is ended by a signal in each round, at the moment when the mail server has accepted a
 * mail and not yet acknowledged it; then a last server delivers the rest. Each round starts its share of the messages,
 * so that at every end some are being accepted and some delivered. Uses a SQLite file, or the given PostgreSQL.
 */
export async function sendThroughEnds(
  signal: NodeJS.Signals,
  rounds: number,
  messages: number,
  postgresUrl?: string,
): Promise<Account> {
  const cwd = makeFolder();
  const databaseUrl = postgresUrl ?? `sqlite:${join(cwd, "posthorn.db")}`;
  const secretKey =
    postgresUrl === undefined ? {} : { SERVICE_SECRET_KEY: "only for the tests, 0123456789abcdef" };
  const { values } = loadConfig({ databaseUrl }, secretKey, {});
  const service = await openService(values, { database: "make" });
  onTestFinished(() => service.close());
  const { workspaceId, apiKey } = await makeSender(service.posthorn);

  const mails: Account["mails"] = [];
  const endings: Account["endings"] = [];
  let server: RunningCommand | undefined;
  let mailsUntilEnd = 0;
  let round = 0;
  const sink = await startSmtpSink({
    onMail(mail) {
      mails.push({ emailId: emailIdOf(mail), source: mail.source, round });
      mailsUntilEnd -= 1;
      if (mailsUntilEnd === 0) server?.child.kill(signal);
    },
  });
  onTestFinished(() => sink.close());
  onTestFinished(() => void server?.child.kill("SIGKILL"));
  const env = {
    ...secretKey,
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_SMTP_URL: `${sink.url}?connections=${concurrency}`,
    SERVICE_WORKER_CONCURRENCY: String(concurrency),
    SERVICE_WORKER_LEASE_SECS: "1",
    SERVICE_LOG_LEVEL: "error",
  };
  const address = createGate<string>();
  const start = async (): Promise<RunningCommand> => {
    server = startCommand(["serve", "--port", "0"], { cwd, env });
    const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
    address.open(url);
    return server;
  };

  const perRound = messages / rounds;
  const gates = Array.from({ length: rounds }, () => createGate<void>());
  const sending = sendAll({
    messages,
    apiKey,
    address: address.wait,
    mayBegin: async (index) => gates[Math.floor(index / perRound)]?.wait(),
  });
  for (; round < rounds; round += 1) {
    mailsUntilEnd = 1 + Math.floor(Math.random() * (perRound / 2));
    const running = await start();
    gates[round]?.open();
    const { code } = await running.ended;
    endings.push(code ?? running.child.signalCode);
    address.close();
  }
  mailsUntilEnd = 0;
  const last = await start();
  const clientsKnow = await sending;
  const unsettled = async (): Promise<number> => {
    const { due, waiting, leased } = await service.posthorn.queueStatus();
    return due + waiting + leased;
  };
  await expect.poll(unsettled, { timeout: 60_000, interval: 50 }).toBe(0);
  last.child.kill("SIGTERM");
  expect((await last.ended).code).toBe(0);
  return { ...clientsKnow, mails, endings, storage: service.storage, workspaceId };
}

/** Creates a workspace with an API key. */
export async function makeSender(
  posthorn: Awaited<ReturnType<typeof openService>>["posthorn"],
): Promise<{ workspaceId: number; apiKey: string }> {
  const password = "a long and odd passphrase";
  const user = await posthorn.users.create({ name: "Ada", email: "ada@example.com", password });
  const as = await posthorn.findUser(user.id);
  if (as === undefined) throw new Error("the user is gone");
  const { id: workspaceId } = await posthorn.workspaces.create({ name: "Shop" }, { as });
  const { key } = await posthorn.apiKeys.create({ name: "shop" }, { workspaceId });
  return { workspaceId, apiKey: key };
}

/** Sends every key until it is accepted, through all ends of the server. */
async function sendAll({
  messages,
  apiKey,
  address,
  mayBegin,
}: {
  messages: number;
  apiKey: string;
  address: () => Promise<string>;
  mayBegin: (index: number) => Promise<void>;
}): Promise<Pick<Account, "accepted" | "refused">> {
  const accepted: Account["accepted"] = new Map();
  const refused: unknown[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < messages; index = next++) {
      await mayBegin(index);
      const key = `message-${index}`;
      while (!accepted.has(key)) {
        const answer = await sendOnce(await address(), apiKey, key).catch(() => undefined);
        if (answer?.status === 202) accepted.set(key, answer.id);
        else if (answer !== undefined && answer.status < 500) refused.push(answer);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { accepted, refused };
}

/** Sends one mail with an idempotency key; returns the status, and the e-mail's id. */
export async function sendOnce(
  url: string,
  apiKey: string,
  key: string,
): Promise<{ status: number; id: string }> {
  const response = await fetch(`${url}/api/v1/emails/send`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      from: "shop@example.com",
      to: [`${key}@example.com`],
      subject: key,
      text: `This is ${key}.`,
    }),
  });
  const { data } = (await response.json()) as { data?: { id: string } };
  return { status: response.status, id: data?.id ?? "none" };
}

/** Returns the id of a mail's e-mail, which is in its Message-ID. */
export const emailIdOf = ({ source }: ReceivedMail): string =>
  /^Message-ID: <([\w-]+)@/m.exec(source)?.[1] ?? "none";

/** A value that can be awaited, set and removed. */
function createGate<T>(): { open(value: T): void; close(): void; wait(): Promise<T> } {
  let gate = Promise.withResolvers<T>();
  return {
    open: (value) => gate.resolve(value),
    close() {
      gate = Promise.withResolvers<T>();
    },
    wait: () => gate.promise,
  };
}
