import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHttpSender } from "./http-sender.ts";

test("the time that loading the library takes is not the endpoint's", async () => {
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const library = await import("undici");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const timeoutMs = 10_000;
  // As long as the request may take.
  const load = async () => {
    await vi.advanceTimersByTimeAsync(timeoutMs);
    return library;
  };
  const sender = createHttpSender({ load });
  onTestFinished(async () => {
    vi.useRealTimers();
    await sender.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = { url, headers: {}, body: "", timeoutMs, allowPrivate: true };
  expect(await sender.post(request)).toMatchObject({ status: 200, durationMs: 0 });
});
