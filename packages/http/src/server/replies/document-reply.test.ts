import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import type { WireRequest } from "../../contract/wire-request.ts";
import { documentReply } from "./document-reply.ts";
import { textReply } from "./plain-reply.ts";

const asking = (headers: Record<string, string>): WireRequest => ({
  method: "GET",
  target: "/openapi.json",
  headers: { "accept-encoding": "gzip", ...headers },
  repeatedAuthorization: false,
  ip: "",
  readBody: async () => new Uint8Array(),
  openBody: async function* () {},
});

test("a document that could not be packed is sent as it is, and packed for the next client", async () => {
  const answer = documentReply(textReply("words"));
  const gzip = vi.spyOn(zlib, "gzip").mockImplementationOnce((_: unknown, done: unknown) => {
    (done as (error: Error) => void)(new Error("no memory"));
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    gzip.mockRestore();
    syncBuiltinESMExports();
  });
  const first = await answer(asking({}));
  expect([first.headers["content-encoding"], String(first.body)]).toEqual([undefined, "words"]);
  const second = await answer(asking({}));
  expect([second.headers["content-encoding"], String(zlib.gunzipSync(second.body))]).toEqual([
    "gzip",
    "words",
  ]);
});

test.each(["*", 'W/"other", *'])(
  "a client that has any form, as by If-None-Match: %s, gets no other",
  async (has) => {
    const answer = documentReply(textReply("words"));
    expect((await answer(asking({ "if-none-match": has }))).status).toBe(304);
  },
);

test("a 304 says nothing of a body, which some clients would unpack", async () => {
  const answer = documentReply(textReply("words"));
  const { etag = "" } = (await answer(asking({}))).headers;
  expect(await answer(asking({ "if-none-match": etag }))).toEqual({
    status: 304,
    headers: { etag, "cache-control": "no-cache", vary: "Accept-Encoding" },
    body: "",
  });
});
