import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "./client.ts";

/** A client whose server answers with this stream, in pieces. */
const clientOf = (pieces: (string | Uint8Array)[], seen: string[] = []) =>
  createClient("http://mail.example", {
    token: "t",
    fetch: async (url) => {
      seen.push(String(url));
      const encoder = new TextEncoder();
      const body = new ReadableStream({
        start(controller) {
          for (const piece of pieces)
            controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });

async function idsOf(client: ReturnType<typeof clientOf>, fields = {}): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of client.follow(fields)) ids.push(id);
  return ids;
}

test("yields events one by one, however the stream is split, and skips comments", async () => {
  const seen: string[] = [];
  const bytes = new TextEncoder().encode('id: 2\ndata: {"id":2,"message":"é"}\n\n');
  const inHalf = bytes.indexOf(0xc3) + 1;
  const pieces = [":\n", '\nid: 1\ndata: {"id"', ":1}\n\n:\n\n", bytes.slice(0, inHalf), bytes.slice(inHalf)];
  expect(
    await idsOf(clientOf(pieces, seen), { wait: false, last_event_id: 0, type: "plan.created" }),
  ).toEqual([1, 2]);
  expect(seen).toEqual([
    "http://mail.example/api/v1/admin/events/stream?wait=false&last_event_id=0&type=plan.created",
  ]);
});

test("tells of removed events, and yields no event for them", async () => {
  const client = clientOf(['event: gap\ndata: {"removed_up_to":7}\n\n', 'id: 8\ndata: {"id":8}\n\n']);
  const told: unknown[] = [];
  const events = client.follow({ wait: false, last_event_id: 3 }, { onGap: (upTo) => told.push(upTo) });
  for await (const { id } of events) told.push({ id });
  expect(told).toEqual([7, { id: 8 }]);
});

test("yields an event whose text has line separators, as one pasted from a word processor has", async () => {
  const description = "one\u2028two\u2029data: three";
  const client = clientOf([`id: 1\ndata: ${JSON.stringify({ id: 1, description })}\n\n`]);
  expect((await client.follow({ wait: false }).next()).value).toEqual({ id: 1, description });
});

test("reports a stream that ends early as an unreachable server; likewise an answer that is no stream", async () => {
  await expect(idsOf(clientOf(['data: {"id":1}\n\n']))).rejects.toMatchObject({
    name: "ApiError",
    code: "unreachable",
  });
  await expect(idsOf(clientOf(["data: <html>\n\n"]))).rejects.toThrow("not JSON");
  await expect(idsOf(clientOf(["x".repeat(5 * 1024 * 1024)]))).rejects.toThrow("too long");
});

test("ends without an error when aborted by a signal", async () => {
  const ending = new AbortController();
  const events = clientOf(['data: {"id":1}\n\n']).follow({}, { signal: ending.signal });
  expect((await events.next()).value).toEqual({ id: 1 });
  ending.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test("yields nothing once it is aborted, even of what came along", async () => {
  const ending = new AbortController();
  const events = clientOf(['data: {"id":1}\n\ndata: {"id":2}\n\n']).follow({}, { signal: ending.signal });
  const ids: number[] = [];
  for await (const { id } of events) {
    ids.push(id);
    ending.abort();
  }
  expect(ids).toEqual([1]);
});

test("waits for the server's heartbeat, however short the client's timeout is", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = createClient("http://mail.example", {
    timeoutMs: 5_000,
    fetch: async () => {
      const body = new ReadableStream({
        start(controller) {
          setTimeout(() => controller.enqueue(new TextEncoder().encode(":\n\n")), 15_000);
          setTimeout(() => controller.enqueue(new TextEncoder().encode('data: {"id":1}\n\n')), 44_000);
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const events = client.follow();
  const first = events.next();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(await first).toEqual({ done: false, value: { id: 1 } });
  const silent = expect(events.next()).rejects.toThrow("nothing came within 30000 ms");
  await vi.advanceTimersByTimeAsync(30_000);
  await silent;
});
