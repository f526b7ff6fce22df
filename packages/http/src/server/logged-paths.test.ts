import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import { createDispatcher } from "./dispatch.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const token = "aToken-of_40-characters-or-more-as-in-links";

/** Returns the lines that the request's refusal by a closed dispatcher writes. */
async function linesOf(target: string): Promise<unknown[]> {
  const lines: unknown[] = [];
  const keep = (fields: object) => void lines.push(fields);
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  const dispatcher = createDispatcher({ ...server.world.posthorn, logger });
  dispatcher.close();
  await dispatcher.dispatch({
    ...{ method: "GET", target, ip: "127.0.0.1", headers: {}, repeatedAuthorization: false },
    readBody: async () => new Uint8Array(),
    openBody: async function* () {},
  });
  return lines;
}

const current = "/api/v1/workspaces/current";

test.each([
  [`/c/${token}`, "/c/…"],
  [`/c/${token}?utm=1`, "/c/…"],
  [`/o/${token}.gif`, "/o/…"],
  [`/u/${token}`, "/u/…"],
  [`${current}/suppressions/ada%40example.com`, `${current}/suppressions/…`],
  [`${current}/recipients/ada@example.com/export?format=csv`, `${current}/recipients/…/export`],
])("a refused request for %s is logged without its token or address", async (target, path) => {
  expect(await linesOf(target)).toMatchObject([{ path, code: "unavailable" }]);
});

test.each([`/mail/c/${token}`, `/mail/o/${token}.gif`, `/mail/u/${token}`, `/api/v1/c/${token}`])(
  "a request for %s, where nothing is served, is not logged",
  async (target) => {
    expect(await linesOf(target)).toEqual([]);
  },
);
