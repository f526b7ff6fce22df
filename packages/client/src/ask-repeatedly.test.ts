import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "./client.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"] };

test("says where a server redirects to, and follows it neither with the mail nor without the key", async () => {
  const asked: unknown[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(308, { location: `/there${url}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(url, { apiKey: "sk_a", retries: 0 });
  await expect(client.send(mail)).rejects.toMatchObject({
    code: "unreachable",
    message: `${url} can't be reached: it redirects to /there/api/v1/emails/send; a client needs the final URL.`,
  });
  // A filter may hold an address.
  await expect(client.request("GET /emails", { to: "ada@example.com" })).rejects.toThrow(
    "it redirects to /there/api/v1/emails; a client",
  );
  expect(asked).toEqual(["POST /api/v1/emails/send", "GET /api/v1/emails?to=ada%40example.com"]);
  await new Promise((resolve) => server.close(resolve));
});

test("says that a server redirects where a browser shows no more of it", async () => {
  const opaque = Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } });
  const sent = createClient("http://mail.example", { fetch: async () => opaque, retries: 0 }).send(mail);
  await expect(sent).rejects.toThrow(
    "http://mail.example can't be reached: it redirects; a client needs the final URL.",
  );
});

test.each([
  [undefined, 3],
  [0, 1],
  [4, 5],
])("with %j retries, a server that is away is asked %i times", async (retries, times) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    return new Response(null, { status: 503 });
  };
  const sent = createClient("http://mail.example", { fetch, retries }).send(mail);
  await Promise.all([
    expect(sent).rejects.toMatchObject({ status: 503 }),
    vi.advanceTimersByTimeAsync(60_000),
  ]);
  expect(asked).toBe(times);
});

test.each([
  ["10", 2],
  ["11", 1],
])("of a Retry-After of %s s, it asks %i times", async (seconds, times) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    return new Response(null, { status: 429, headers: { "retry-after": seconds } });
  };
  const sent = createClient("http://mail.example", { fetch, retries: 1 }).send(mail);
  await Promise.all([
    expect(sent).rejects.toMatchObject({ status: 429 }),
    vi.advanceTimersByTimeAsync(10_000),
  ]);
  expect(asked).toBe(times);
});

test.each([201, 400])("an answer %i with a location is no redirect", async (status) => {
  const fetch = async () => new Response("{}", { status, headers: { location: "/there" } });
  const sent = createClient("http://mail.example", { fetch, retries: 0 }).send(mail);
  await expect(sent).rejects.toMatchObject({ status });
});

test("an abort ends the wait for the next attempt, also one from before", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ending = new AbortController();
  const fetch = vi.fn(async () => new Response(null, { status: 503 }));
  const { send } = createClient("http://mail.example", { fetch });
  const waiting = send(mail, { signal: ending.signal });
  await vi.advanceTimersByTimeAsync(50);
  ending.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(send(mail, { signal: ending.signal })).rejects.toThrow("enough");
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("takes a signal where the platform combines none", async () => {
  vi.stubGlobal("AbortSignal", { timeout: AbortSignal.timeout });
  const fetch = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      const signal = init?.signal;
      if (signal?.aborted === true) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const client = createClient("http://mail.example", { fetch, retries: 0 });
  const ending = new AbortController();
  const sent = client.send(mail, { signal: ending.signal });
  ending.abort(new Error("enough"));
  await expect(sent).rejects.toThrow("enough");
  await expect(client.send(mail, { signal: ending.signal })).rejects.toThrow("enough");
  const patient = client.with({ timeoutMs: 1 }).send(mail, { signal: new AbortController().signal });
  await expect(patient).rejects.toThrow("can't be reached: no answer within 1 ms.");
});

test("waits for the rest of a refused download no longer than for any answer", async () => {
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = new ReadableStream({
      start(controller) {
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, { status: 502, headers: { "content-type": "application/json" } });
  };
  const client = createClient("http://mail.example", { token: "t", retries: 0, timeoutMs: 20, fetch });
  const file = client.download("GET /workspaces/current/suppressions/export", {});
  await expect(file.next()).rejects.toThrow("can't be reached: no answer within 20 ms.");
});

test.each(["at hand", "as a stream", "piece by piece"])(
  "an upload %s is not cut while it moves, as slowly as a server takes it, and is when nothing comes",
  async (how) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const pieces = Array.from({ length: 6 }, () => new Uint8Array(65_536));
    const content = { "at hand": new Blob(pieces), "as a stream": new Blob(pieces).stream() }[how];
    const each = async function* () {
      yield* pieces;
    };
    const fetch = async (_: unknown, init?: RequestInit) => {
      let taken = 0;
      const body = init?.body as Blob | AsyncIterable<Uint8Array>;
      for await (const { byteLength } of body instanceof Blob ? body.stream() : body) {
        taken += byteLength;
        await vi.advanceTimersByTimeAsync((byteLength / 65_536) * 7_900);
        init?.signal?.throwIfAborted();
      }
      if (taken !== 6 * 65_536) throw new Error(`${taken} bytes`);
      await vi.advanceTimersByTimeAsync(60_000);
      init?.signal?.throwIfAborted();
      return new Response();
    };
    const client = createClient("http://mail.example", { apiKey: "sk_a", retries: 0, fetch: fetch as never });
    await expect(
      client.request("POST /attachments", { filename: "a", content: (content ?? each()) as Blob }),
    ).rejects.toThrow("can't be reached: no answer within 78000 ms.");
  },
);
