import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { type House, openHouse } from "./harness.ts";
import { rawRequest } from "./raw-request.ts";

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse(() => openTestSqlite());
  key = await house.makeKey();
});
afterAll(() => house.close());

describe("a caller that waits for 100 Continue", () => {
  const ask = (headers: Record<string, string>): string =>
    [
      "POST /api/v1/emails/send HTTP/1.1",
      "Host: a",
      "Content-Type: application/json",
      "Expect: 100-continue",
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ].join("\r\n") + "\r\n\r\n";

  test("gets a refusal of its credentials or of the length instead, on a connection that closes", async () => {
    const unknown = await rawRequest(house.port, ask({ "Content-Length": "20" }), true);
    expect(unknown).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
    const long = { Authorization: `Bearer ${key}`, "Content-Length": "100000000" };
    expect(await rawRequest(house.port, ask(long), true)).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
  });

  test("gets its answer if it expects anything else, too", async () => {
    const other = "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n";
    expect(await rawRequest(house.port, other)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("gets it once, before its body is read", async () => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Length": "2", Connection: "close" };
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(house.port, "127.0.0.1", () => socket.write(ask(headers)));
      let text = "";
      socket.setEncoding("latin1").once("data", () => socket.write("{}"));
      socket.on("data", (chunk: string) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });
});
