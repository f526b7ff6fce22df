import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rawRequest } from "../../../test/raw-request.ts";
import { type Login, startServer, type TestServer } from "../../../test/start-server.ts";

let server: TestServer;
let admin: Login;
let beats: Set<() => void>;

beforeEach(async () => {
  beats = new Set();
  const everyHeartbeat = (beat: () => void) => {
    beats.add(beat);
    return () => beats.delete(beat);
  };
  server = await startServer({ eventStream: { everyHeartbeat } });
  admin = await server.logIn({ admin: true });
});
afterEach(() => server.close());

const path = "/api/v1/admin/events/stream";

/** A reader of the stream that returns one message after another. */
async function follow(query: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${server.url}${path}${query}`, { headers, signal: abort.signal });
  const messages: EventSourceMessage[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onComment: (comment) => comments.push(comment),
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  /** Reads until the condition holds; answers whether it did before the stream ended. */
  async function until(condition: () => boolean): Promise<boolean> {
    while (!condition()) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return false;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
    return true;
  }
  return { response, messages, comments, until, stop: () => abort.abort() };
}

const createPlan = (name: string) => server.ask("POST /admin/plans", { token: admin.token, body: { name } });

describe("the event stream", () => {
  test("sends events as data with their id, without an event line", async () => {
    const stream = await follow(`?token=${admin.token}`);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("connection")).toBe("close");
    // Neither compressed nor held back by a proxy.
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    expect(stream.response.headers.get("etag")).toBe(`"${stream.response.headers.get("x-request-id")}"`);
    await stream.until(() => stream.comments.length > 0);
    await createPlan("Free");
    await stream.until(() => stream.messages.length > 0);
    const [message] = stream.messages;
    const record = JSON.parse(message?.data ?? "{}") as Record<string, unknown>;
    expect(message?.event).toBeUndefined();
    expect(record).toMatchObject({ type: "plan.created", category: "audit", actor_id: admin.userId });
    expect(message?.id).toBe(String(record.id));
    stream.stop();
  });

  test("resumes after the last event seen, by header and by query", async () => {
    for (const name of ["A", "B", "C"]) await createPlan(name);
    const log = await server.ask("GET /admin/events?type=plan.created", { token: admin.token });
    const first = String(log.body.data?.[2]?.id);
    const streams = [
      await follow("", { authorization: `Bearer ${admin.token}`, "last-event-id": first }),
      await follow(`?token=${admin.token}&last_event_id=${first}`),
    ];
    for (const stream of streams) {
      await stream.until(() => stream.messages.length >= 2);
      const names = stream.messages.map(({ data }) => JSON.parse(JSON.parse(data).metadata).name);
      expect(names).toEqual(["B", "C"]);
      stream.stop();
    }
  });

  test("tells a reader who comes back for removed events that they are missing, in a message of its own type", async () => {
    for (const name of ["A", "B"]) await createPlan(name);
    const { events } = server.world.storage;
    const last = await events.lastId();
    await events.deleteBefore(Number.MAX_SAFE_INTEGER, 1_000);
    await createPlan("C");
    const stream = await follow(`?token=${admin.token}&last_event_id=1`);
    await stream.until(() => stream.messages.length >= 2);
    expect(stream.messages).toEqual([
      { id: undefined, event: "gap", data: `{"removed_up_to":${last}}` },
      expect.objectContaining({ event: undefined, data: expect.stringContaining("plan.created") }),
    ]);
    stream.stop();
  });

  test("filters by category", async () => {
    const stream = await follow(`?token=${admin.token}&category=system&last_event_id=0`);
    await createPlan("Unheard");
    await server.world.storage.events.append([
      {
        category: "system",
        type: "queue.paused",
        workspaceId: undefined,
        userId: undefined,
        actorId: undefined,
        actorName: "host",
        clientIp: "",
        message: "host paused",
        metadata: "{}",
        createdAt: server.world.clock.now(),
      },
    ]);
    await server.world.storage.notify(["events"]);
    await stream.until(() => stream.messages.length > 0);
    expect(stream.messages.map(({ data }) => JSON.parse(data).type)).toEqual(["queue.paused"]);
    stream.stop();
  });

  test("filters by type, workspace and time, and ends after the last event with wait=false", async () => {
    const workspace = await server.world.addWorkspace();
    const since = new Date(server.world.clock.now() + 60_000).toISOString();
    await createPlan("Old");
    server.world.clock.advance(60_000);
    admin = await server.logIn({ admin: true });
    for (const name of ["A", "B"]) await createPlan(name);
    await server.world.posthorn.settings.update({ timezone: "Asia/Tokyo" }, { workspaceId: workspace.id });
    const typesOf = async (query: string, from = "&last_event_id=0") => {
      const stream = await follow(`?token=${admin.token}${from}&wait=false&${query}`);
      expect(await stream.until(() => false)).toBe(false);
      return stream.messages.map(({ data }) => JSON.parse(data).type);
    };
    expect(await typesOf("type=plan.created")).toHaveLength(3);
    expect(await typesOf(`type=plan.created&since=${since}`)).toHaveLength(2);
    expect(await typesOf(`type=plan.created&since=${since}`, "")).toHaveLength(2);
    expect(await typesOf("type=plan.created", "")).toEqual([]);
    expect(await typesOf(`workspace_id=${workspace.id}&category=audit`)).toContain("settings.updated");
    expect(await typesOf("type=nothing")).toEqual([]);
    expect(beats.size).toBe(0);
  });

  test("sends a long log to its end without waiting for further events", async () => {
    const { world } = server;
    const one = {
      category: "system" as const,
      type: "queue.paused",
      workspaceId: undefined,
      userId: undefined,
      actorId: undefined,
      actorName: "host",
      clientIp: "",
      message: "x".repeat(500),
      metadata: "{}",
      createdAt: world.clock.now(),
    };
    for (let at = 0; at < 4; at += 1)
      await world.storage.events.append(Array.from({ length: 500 }, () => one));
    const stream = await follow(`?token=${admin.token}&last_event_id=0&wait=false&type=queue.paused`);
    await stream.until(() => false);
    expect(stream.messages).toHaveLength(2_000);
  });

  test("is for administrators, and checks again at every heartbeat", async () => {
    const person = await server.logIn();
    expect((await follow(`?token=${person.token}`)).response.status).toBe(403);
    expect((await follow("")).response.status).toBe(401);
    expect((await follow("?token=abc")).response.status).toBe(401);
    const stream = await follow(`?token=${admin.token}`);
    await stream.until(() => stream.comments.length === 1);
    for (const beat of beats) beat();
    await stream.until(() => stream.comments.length === 2);
    await server.world.posthorn.users.demote({ userId: admin.userId });
    for (const beat of beats) beat();
    expect(await stream.until(() => false)).toBe(false);
    expect(beats.size).toBe(0);
  });

  test.each([
    ["a demotion", ({ userId }: Login) => server.world.posthorn.users.demote({ userId })],
    ["a logout", ({ token }: Login) => server.ask("POST /users/me/sessions/logout", { token })],
  ])("tells nothing that was committed after %s, and ends", async (_, end) => {
    const other = await server.logIn({ admin: true });
    const stream = await follow(`?token=${other.token}&last_event_id=0&type=plan.created`);
    await stream.until(() => stream.comments.length > 0);
    await createPlan("Told");
    await stream.until(() => stream.messages.length > 0);
    await end(other);
    await createPlan("Untold");
    expect(await stream.until(() => false)).toBe(false);
    expect(stream.messages).toHaveLength(1);
  });

  test.each([
    ...["&category=secret", "&last_event_id=x", "&other=1", "&token=twice", "&wait=perhaps", "&page=0"],
    ...[
      "&workspace_id=x",
      "&workspace_id=0",
      "&workspace_id=0x1",
      "&since=yesterday",
      `&type=${"x".repeat(101)}`,
    ],
  ])("refuses the query %s", async (query) => {
    expect((await follow(`?token=${admin.token}${query}`)).response.status).toBe(400);
  });

  test("takes a token that is in the header and in the query, if it is the same", async () => {
    const authorization = `Bearer ${admin.token}`;
    const same = await follow(`?token=${admin.token}`, { authorization });
    expect(same.response.status).toBe(200);
    same.stop();
    for (const other of ["Bearer abc", "Basic YTpi"])
      expect((await follow(`?token=${admin.token}`, { authorization: other })).response.status).toBe(400);
  });

  test("allows one user five streams", async () => {
    const streams = await Promise.all(Array.from({ length: 6 }, () => follow(`?token=${admin.token}`)));
    expect(streams.map(({ response }) => response.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
    for (const stream of streams) stream.stop();
  });

  test("releases its resources when the reader leaves", async () => {
    const stream = await follow(`?token=${admin.token}`);
    await stream.until(() => stream.comments.length > 0);
    expect(beats.size).toBe(1);
    stream.stop();
    await expect.poll(() => beats.size).toBe(0);
  });

  test("other methods are a 405", async () => {
    const answer = await rawRequest(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });
});
