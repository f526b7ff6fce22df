import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ReceivedMail, startSmtpSink } from "../src/commands/demo/smtp-sink.ts";
import { loadConfig } from "../src/config.ts";
import { openService } from "../src/open-service.ts";
import { makeFolder, type RunningCommand, startCommand } from "./run-command.ts";

const kills = 20;
const messages = 2_000;
const concurrency = 8;
const clients = 16;

/** What the clients know: each key, and the e-mail that it was answered with. */
type Ledger = Map<string, string>;

/** Sends every key until it is accepted, whatever becomes of the server meanwhile. No more keys than `open()` allows are begun. */
async function sendAll(
  apiKey: string,
  ledger: Ledger,
  urlOf: () => Promise<string>,
  mayBegin: (index: number) => Promise<void>,
) {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < messages; index = next++) {
      await mayBegin(index);
      const key = `message-${index}`;
      while (!ledger.has(key)) {
        const id = await sendOnce(await urlOf(), apiKey, key).catch(() => undefined);
        if (id !== undefined) ledger.set(key, id);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** The e-mail's id; `undefined` where the server could not take it now. Throws where it was refused for good. */
async function sendOnce(url: string, apiKey: string, key: string): Promise<string | undefined> {
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
  const answer = (await response.json()) as { data?: { id: string }; error?: unknown };
  if (response.status === 202) return answer.data?.id;
  if (response.status < 500) refused.push({ key, status: response.status, error: answer.error });
  return undefined;
}

const refused: unknown[] = [];

const emailIdOf = ({ source }: ReceivedMail): string =>
  /^Message-ID: <([\w-]+)@/m.exec(source)?.[1] ?? "none";

/** A promise that is made anew each time it is taken away. */
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

/** How many mails came again because of each kill: every copy but the last one is of the round that its server died in. */
function countDuplicates(mails: { id: string; round: number }[]): Map<number, number> {
  const perKill = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const { id, round } of mails) {
    const before = seen.get(id);
    if (before !== undefined) perKill.set(before, (perKill.get(before) ?? 0) + 1);
    seen.set(id, round);
  }
  return perKill;
}

test("20 kills while 2,000 e-mails are sent: none lost, none made up, and every duplicate explained", async () => {
  const cwd = makeFolder();
  const databaseUrl = `sqlite:${join(cwd, "posthorn.db")}`;
  const { values } = loadConfig({}, {}, {});
  const service = await openService({ ...values, database_url: databaseUrl });
  onTestFinished(() => service.close());
  const { posthorn, storage } = service;
  const user = await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "a long and odd passphrase",
  });
  const as = await posthorn.findUser(user.id);
  if (as === undefined) throw new Error("the user is gone");
  const workspace = await posthorn.workspaces.create({ name: "Shop" }, { as });
  const { key: apiKey } = await posthorn.apiKeys.create({ name: "shop" }, { workspaceId: workspace.id });

  // The round's server dies with the mail that the sink has just taken and not yet answered for.
  let mailsUntilKill = 0;
  let round = 0;
  const roundOf: number[] = [];
  let server: RunningCommand | undefined;
  const address = createGate<string>();
  const sink = await startSmtpSink({
    onMail() {
      roundOf.push(round);
      mailsUntilKill -= 1;
      if (mailsUntilKill === 0) server?.child.kill("SIGKILL");
    },
  });
  onTestFinished(() => sink.close());
  const env = {
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_SMTP_URL: `${sink.url}?connections=${concurrency}`,
    SERVICE_WORKER_CONCURRENCY: String(concurrency),
    SERVICE_WORKER_LEASE_SECS: "1",
    SERVICE_LOG_LEVEL: "error",
  };
  const start = async (): Promise<RunningCommand> => {
    server = startCommand(["serve", "--port", "0"], { cwd, env });
    const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
    address.open(url);
    return server;
  };
  onTestFinished(() => void server?.child.kill("SIGKILL"));

  // Each round lets its share of the messages begin, so that every kill finds some being accepted and some being delivered.
  const rounds = Array.from({ length: kills }, () => createGate<void>());
  const ledger: Ledger = new Map();
  const perRound = messages / kills;
  const sending = sendAll(apiKey, ledger, address.wait, (index) =>
    (rounds[Math.floor(index / perRound)] as (typeof rounds)[0]).wait(),
  );

  for (; round < kills; round += 1) {
    mailsUntilKill = 1 + Math.floor(Math.random() * (perRound / 2));
    const running = await start();
    rounds[round]?.open();
    await running.ended;
    address.close();
  }
  mailsUntilKill = 0;
  const last = await start();
  await sending;
  await expect
    .poll(
      async () => {
        const { due, waiting, leased } = await posthorn.queueStatus();
        return due + waiting + leased;
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(0);
  last.child.kill("SIGTERM");
  expect((await last.ended).code).toBe(0);

  const copies = Map.groupBy(sink.mails, emailIdOf);
  const accepted = [...ledger.values()];
  expect(refused).toEqual([]);
  expect(new Set(accepted).size).toBe(messages);
  const lost = accepted.filter((id) => !copies.has(id));
  const ghosts = [...copies.keys()].filter((id) => !accepted.includes(id));
  const split = [...copies.values()].filter((all) => new Set(all.map(({ source }) => source)).size > 1);
  const unsent = await Promise.all(
    accepted.map(async (id) => (await storage.emails.find(workspace.id, id))?.status),
  );
  expect({ lost, ghosts, split, unsent: unsent.filter((status) => status !== "sent") }).toEqual({
    lost: [],
    ghosts: [],
    split: [],
    unsent: [],
  });

  const repeated = [...copies].filter(([, all]) => all.length > 1);
  const perKill = countDuplicates(
    sink.mails.map((mail, at) => ({ id: emailIdOf(mail), round: roundOf[at] ?? 0 })),
  );
  // Each kill strikes while a mail is unanswered for, so at least that one comes again.
  expect([...perKill.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: kills }, (_, at) => at));
  expect(Math.max(...perKill.values())).toBeLessThanOrEqual(concurrency);
  const unexplained: string[] = [];
  for (const [id, all] of repeated) {
    const attempts = await storage.emails.attempts(id);
    const explained = attempts.filter(({ outcome, inDoubt }) => outcome === "interrupted" || inDoubt).length;
    if (explained < all.length - 1) unexplained.push(id);
  }
  expect(unexplained).toEqual([]);
  const duplicates = [...perKill.values()].reduce((sum, count) => sum + count, 0);
  console.info(
    `${messages} e-mails, ${kills} kills: 0 lost, 0 made up, ${duplicates} duplicates, each explained`,
  );
}, 120_000);
