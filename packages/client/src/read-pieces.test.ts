import { expect, test } from "vitest";
import { createClient } from "./client.ts";

const signature = "GET /workspaces/current/suppressions/export";
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Returns a client of a server whose response has these chunks, made on demand, and the number of chunks made. */
function answering(pieces: () => AsyncGenerator<Uint8Array>, timeoutMs = 20) {
  const made = { pieces: 0, ended: false };
  async function* counted() {
    try {
      for await (const piece of pieces()) {
        made.pieces += 1;
        yield piece;
      }
    } finally {
      made.ended = true;
    }
  }
  const fetch = async () => {
    // Made by a program, as in a host's own `fetch`, a response has no URL.
    return new Response(ReadableStream.from(counted()) as ReadableStream<Uint8Array>, {
      headers: { "content-disposition": "attachment" },
    });
  };
  return { made, client: createClient("http://mail.example", { token: "t", timeoutMs, fetch }) };
}

test("streams a download as it arrives, and cancels it when the reader stops", async () => {
  const { client, made } = answering(async function* () {
    for (let n = 0; n < 1_000; n += 1) yield bytes(`${n}\n`);
  });
  const seen: string[] = [];
  for await (const piece of client.download(signature, {})) {
    seen.push(new TextDecoder().decode(piece));
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(["0\n", "1\n", "2\n"]);
  expect(made.pieces).toBeLessThan(10);
  await expect.poll(() => made.ended).toBe(true);
});

test("a download that stalls or breaks off rejects with the reason", async () => {
  const silent = answering(async function* () {
    yield bytes("a");
    await new Promise(() => {});
  });
  const broken = answering(async function* () {
    yield bytes("a");
    throw new Error("terminated");
  });
  const read = async ({ client }: typeof silent) => {
    for await (const _ of client.download(signature, {}));
  };
  await expect(read(silent)).rejects.toMatchObject({
    code: "unreachable",
    message: "http://mail.example broke off its answer: nothing came within 20 ms.",
  });
  await expect(read(broken)).rejects.toMatchObject({ code: "unreachable", message: /terminated/ });
});

test("a refused download rejects with the refusal", async () => {
  const fetch = async () =>
    Response.json({ error: { code: "forbidden", message: "You may not." } }, { status: 403 });
  const client = createClient("http://mail.example", { token: "t", fetch });
  await expect(client.download(signature, {}).next()).rejects.toMatchObject({
    status: 403,
    code: "forbidden",
  });
});

test("an aborted download rejects with the signal's reason, as other requests do", async () => {
  const ending = new AbortController();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes("a"));
      ending.signal.addEventListener("abort", () => controller.error(ending.signal.reason));
    },
  });
  const fetch = async () => new Response(body, { headers: { "content-disposition": "attachment" } });
  const pieces = createClient("http://mail.example", { token: "t", fetch }).download(
    signature,
    {},
    { signal: ending.signal },
  );
  await pieces.next();
  const reason = new Error("enough");
  ending.abort(reason);
  await expect(pieces.next()).rejects.toBe(reason);
});
