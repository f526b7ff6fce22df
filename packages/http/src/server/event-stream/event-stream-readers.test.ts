import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Login, startServer, type TestServer } from "../../../test/start-server.ts";
import type { StreamSink } from "../../contract/wire-request.ts";
import { createEventStream, streamPath } from "./event-stream.ts";

let server: TestServer;
let admin: Login;
let beats: Set<() => void>;

beforeEach(async () => {
  beats = new Set();
  server = await startServer();
  admin = await server.logIn({ admin: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  return server.close();
});

const createPlan = (name: string) => server.ask("POST /admin/plans", { token: admin.token, body: { name } });

/** Writes so many events of some 1,000 characters, of which a stream writes about 30 at once. */
const log = (count: number) =>
  server.world.storage.transaction(({ events }) =>
    events.append(
      Array.from({ length: count }, () => ({
        category: "system",
        type: "plan.created",
        workspaceId: undefined,
        userId: undefined,
        actorId: undefined,
        actorName: "",
        clientIp: "",
        message: "x".repeat(800),
        metadata: "{}",
        createdAt: 1,
      })),
    ),
  );

/** A stream whose reader takes only the bytes that the test takes. */
async function openByHand(
  query: string,
  { headers = {}, meanwhile }: { headers?: Record<string, string>; meanwhile?: () => Promise<unknown> } = {},
) {
  const streams = createEventStream(server.world.posthorn, {
    everyHeartbeat: (beat) => {
      beats.add(beat);
      return () => beats.delete(beat);
    },
  });
  const request = {
    method: "GET",
    target: streamPath,
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
    repeatedAuthorization: false,
    ip: "127.0.0.1",
    readBody: async () => new Uint8Array(),
    openBody: async function* () {},
  };
  const reply = await streams.open(request, query, "r1");
  await meanwhile?.();
  const gone = new AbortController();
  const written: string[] = [];
  let pending = 0;
  let isWhole = false;
  let goOn = (): void => {};
  const sink: StreamSink = {
    write: (data) => {
      const bytes = Buffer.from(data);
      written.push(bytes.toString());
      pending += bytes.length;
      return pending < 2_000;
    },
    drained: () =>
      new Promise((resolve) => {
        goOn = resolve;
      }),
    pending: () => pending,
    end: () => {
      isWhole = true;
      gone.abort();
    },
    destroy: () => gone.abort(),
    signal: gone.signal,
  };
  reply.stream?.(sink);
  return {
    streams,
    gone: gone.signal,
    written,
    /** Whether the stream ended as one that told everything. */
    isWhole: () => isWhole,
    beat: () => {
      for (const beat of beats) beat();
    },
    /** Takes bytes, at most all of them; once all are taken, signals the stream. */
    take: (bytes: number) => {
      pending = Math.max(0, pending - bytes);
      if (pending === 0) goOn();
    },
  };
}

test("a slow reader is waited for while it makes progress, and disconnected otherwise", async () => {
  await log(400);
  const { streams, gone, written, beat, take } = await openByHand("last_event_id=0&type=plan.created");
  await expect.poll(() => written.join("").length).toBeGreaterThan(2_000);
  const before = written.length;
  for (let at = 0; at < 5; at += 1) {
    beat();
    take(1);
  }
  expect(gone.aborted).toBe(false);
  expect(written).toHaveLength(before);
  take(1_000_000);
  await expect.poll(() => written.length).toBeGreaterThan(before);
  expect(written.join("").length).toBeLessThan(400 * 800);

  beat();
  expect(gone.aborted).toBe(false);
  beat();
  expect(gone.aborted).toBe(true);
  expect(streams.count()).toBe(0);
});

test("a reader that is up to date gets a comment at every heartbeat", async () => {
  const { gone, written, beat, take } = await openByHand("");
  for (let at = 0; at < 3; at += 1) {
    take(10);
    beat();
  }
  expect(written).toEqual([":\nid: 0\n\n", ":\n\n", ":\n\n", ":\n\n"]);
  expect(gone.aborted).toBe(false);
});

test("a reader of rare events is told at a heartbeat how far it came, so that it need not begin there again", async () => {
  const { written, beat, take } = await openByHand("type=domain.failed");
  await createPlan("Other");
  const last = await server.world.storage.events.lastId();
  await expect
    .poll(() => {
      take(1_000);
      beat();
      return written.at(-1);
    })
    .toBe(`:\nid: ${last}\n\n`);
  take(1_000);
  beat();
  expect(written.at(-1)).toBe(":\n\n");
});

/** Returns the ids and the plans' names in what was written. */
function told(written: string[]): string[] {
  const events = written.join("").matchAll(/^(id: \d+)$(?:\ndata: (.*))?/gm);
  return Array.from(events, ([, id, data]) =>
    data === undefined ? `${id}` : JSON.parse(JSON.parse(data).metadata).name,
  );
}

test("begins before the answer does, and tells a reader without an id where", async () => {
  await createPlan("Before");
  const last = await server.world.storage.events.lastId();
  const { written, gone } = await openByHand("", { meanwhile: () => createPlan("Meanwhile") });
  await expect.poll(() => told(written)).toEqual([`id: ${last}`, "Meanwhile"]);
  expect(gone.aborted).toBe(false);
});

test("continues with the next event for a reader whose id the log does not have yet, as after a restore", async () => {
  await createPlan("Before");
  const last = await server.world.storage.events.lastId();
  const headers = { "last-event-id": `${last + 100}` };
  const { written } = await openByHand("", { headers, meanwhile: () => createPlan("After") });
  await expect.poll(() => told(written)).toEqual([`id: ${last}`, "After"]);
});

test("takes an empty Last-Event-ID for none", async () => {
  const { written } = await openByHand("last_event_id=0&type=plan.created", {
    headers: { "last-event-id": "" },
    meanwhile: () => createPlan("Free"),
  });
  await expect.poll(() => told(written)).toEqual(["Free"]);
});

test.each(["a look before the next event", "a heartbeat", "the server's stop"])(
  "a log read with wait=false that ends early, at %s, breaks off instead of ending",
  async (at) => {
    await log(400);
    const query = "wait=false&last_event_id=0&type=plan.created";
    const whole = await openByHand(query);
    while (!whole.gone.aborted) {
      whole.take(1_000_000);
      await new Promise(setImmediate);
    }
    expect(whole.isWhole()).toBe(true);

    const { streams, gone, written, isWhole, beat, take } = await openByHand(query);
    await expect.poll(() => written.join("").length).toBeGreaterThan(2_000);
    vi.spyOn(server.world.posthorn, "authenticateUser").mockRejectedValue(new Error("no storage"));
    if (at === "the server's stop") streams.close();
    else if (at === "a heartbeat") beat();
    else {
      const later = performance.now() + 2_000;
      vi.spyOn(performance, "now").mockReturnValue(later);
      take(1_000_000);
    }
    await expect.poll(() => gone.aborted).toBe(true);
    expect(isWhole()).toBe(false);
    expect(streams.count()).toBe(0);
  },
);
