import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type Item } from "@posthorn/client";
import { expect, onTestFinished, test } from "vitest";
import { onEngine, openFaultWorld, type Served } from "./open-fault-world.ts";

/** Kills and suspensions in turn. `FAULTS_KILLS=500` for a night. */
const kills = Number(process.env["FAULTS_KILLS"] ?? 20);
const perSecond = 30;
/** Longer than a lease. */
const suspendedMs = 3_000;
/** Of the messages that the endpoint receives, one in so many gets 500 as its first answer. */
const failing = 7;
const env = {
  // A login is good for one base URL, which otherwise has the port of the process.
  SERVICE_BASE_URL: "http://127.0.0.1",
  SERVICE_WEBHOOK_ALLOW_PRIVATE: "true",
  SERVICE_WEBHOOK_RETRY_BASE_SECS: "1",
  SERVICE_WEBHOOK_MAX_RETRIES: "10",
};
type Event = Item<"GET /admin/events">;
const login = { email: "root@example.com", password: "another long passphrase" };

test.for(["SQLite", "PostgreSQL"])(
  "processes killed and suspended at random moments: each e-mail sent is once in the event stream, and in one webhook: %s",
  { timeout: (kills + 60) * 10_000 },
  async (engine, { task }) => {
    const world = await openFaultWorld({ ...(await onEngine(engine)), env });
    const { id: administrator } = await world.posthorn.users.create({ name: "Root", ...login });
    await world.posthorn.users.promote({ userId: administrator });
    const endpoint = await receiveWebhooks();
    const call = { workspaceId: world.workspaceId };
    await world.posthorn.webhooks.create({ url: endpoint.url, events: ["email.sent"] }, call);

    const processes = await Promise.all([1, 2, 3].map(() => world.serve({ env })));
    const reader = followThrough(() => oneOf(processes).url);
    const statuses = new Map<number, number>();
    let ended = false;
    const sending = (async () => {
      const all: Promise<void>[] = [];
      while (!ended) {
        const sent = oneOf(processes).send();
        all.push(sent.then((status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)));
        await delay(1_000 / perSecond);
      }
      await Promise.all(all);
    })();
    for (let fault = 0; fault < kills; fault += 1) {
      await delay(200 + Math.random() * 1_500);
      const struck = oneOf(processes);
      if (fault % 2 === 0) {
        struck.child.kill("SIGKILL");
        await struck.ended;
        processes[processes.indexOf(struck)] = await world.serve({ env });
      } else {
        struck.child.kill("SIGSTOP");
        await delay(suspendedMs);
        struck.child.kill("SIGCONT");
      }
    }
    ended = true;
    await sending;
    expect(await world.settled()).toMatchObject({ lost: [] });

    const sent = [...world.copies.keys()];
    const missing = () => sent.filter((id) => !endpoint.messages.has(id)).length;
    await expect.poll(missing, { timeout: 120_000, interval: 200 }).toBe(0);
    // A repeated webhook has the id of the first.
    expect([...endpoint.messages].filter(([, ids]) => ids.size > 1)).toEqual([]);
    const stream = await reader.until((events) => sent.every((id) => countOf(events, "email.sent", id) > 0));
    const ids = stream.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(sent.filter((id) => countOf(stream, "email.sent", id) !== 1)).toEqual([]);
    // Nothing was left out in between: the same log, read at once.
    const whole = await reader.readAgain(ids[0] ?? 0, ids.at(-1) ?? 0);
    expect(whole.map(({ id }) => id)).toEqual(ids.slice(1));
    await Promise.all(processes.map((served) => served.stop()));
    task.meta.figures = `${sent.length} mails, ${kills} kills and suspensions, ${reader.breaks()} breaks of the stream: each once in it; ${endpoint.received()} requests for ${endpoint.messages.size} webhooks`;
    expect(statuses.get(202)).toBeGreaterThan(kills);
  },
);

const oneOf = (processes: readonly Served[]): Served =>
  processes[Math.floor(Math.random() * processes.length)] as Served;

/** Starts an endpoint on loopback that answers some requests with 500, and keeps what it answered with success. */
async function receiveWebhooks() {
  const seen = new Set<string>();
  /** Ids of the webhooks that were accepted, by e-mail. */
  const messages = new Map<string, Set<string>>();
  let received = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received += 1;
    const { email_id } = JSON.parse(body) as { email_id: string };
    const message = String(request.headers["webhook-id"]);
    response.statusCode = !seen.has(message) && seen.size % failing === 0 ? 500 : 204;
    seen.add(message);
    if (response.statusCode === 204)
      messages.set(email_id, (messages.get(email_id) ?? new Set()).add(message));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, messages, received: () => received };
}

/** Follows the stream of events through whatever process answers, after each break from the last event seen. */
function followThrough(url: () => string) {
  const events: Event[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let breaks = 0;
  let token: string | undefined;
  const signIn = async () => {
    const client = createClient(url());
    token ??= (await client.request("POST /auth/login", login)).token ?? undefined;
    return client.with({ token });
  };
  const reading = (async () => {
    while (!stop.signal.aborted) {
      try {
        const client = await signIn();
        const from = { last_event_id: events.at(-1)?.id ?? 0 };
        for await (const event of client.follow(from, { signal: stop.signal })) events.push(event);
      } catch {
        breaks += 1;
        await delay(50);
      }
    }
  })();
  return {
    breaks: () => breaks,
    async until(complete: (events: Event[]) => boolean): Promise<Event[]> {
      await expect.poll(() => complete(events), { timeout: 60_000, interval: 500 }).toBe(true);
      stop.abort();
      await reading;
      return events;
    },
    async readAgain(after: number, to: number): Promise<Event[]> {
      const client = await signIn();
      const read: Event[] = [];
      for await (const event of client.follow({ last_event_id: after, wait: false })) {
        if (event.id <= to) read.push(event);
      }
      return read;
    },
  };
}

const countOf = (events: Event[], type: string, emailId: string): number =>
  events.filter((event) => event.type === type && JSON.stringify(event).includes(emailId)).length;
