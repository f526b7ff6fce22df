import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { type House, openHouse, refusal } from "./harness.ts";

// service.md, Authentication: what a request asks for is read beside its key, where that was good when it last came.
let house: House;
beforeAll(async () => {
  house = await openHouse(async () => ({ ...(await openTestSqlite()), isRemote: true }));
});
afterAll(() => house.close());

const good = { from: "me@example.com", subject: "S", text: "T", to: ["ada@example.com"] };
const send = (as: string, body: object | string = good) => house.call("POST /emails/send", { as, body });

async function revokedAfterUse(): Promise<string> {
  const made = await house.call("POST /workspaces/current/api-keys", {
    as: house.owner,
    body: { name: "r" },
  });
  const { id, key } = made.body.data as unknown as { id: string; key: string };
  expect((await send(key)).status).toBe(202);
  await house.call(`DELETE /workspaces/current/api-keys/${id}`, { as: house.owner });
  return key;
}

test("a revoked key sends nothing", async () => {
  const key = await revokedAfterUse();
  const reader = await house.makeKey();
  const before = (await house.call("GET /emails", { as: reader })).body.pagination;
  expect(refusal(await send(key))).toEqual([401, "unauthenticated"]);
  expect((await house.call("GET /emails", { as: reader })).body.pagination).toEqual(before);
});

test.each([
  ["fields", { ...good, to: [] }],
  ["a template", { template: "none", to: ["ada@example.com"] }],
  ["a sender", { ...good, from: "not an address" }],
  ["JSON", "{"],
])("a revoked key is not told what is wrong with %s", async (_, body) => {
  expect(refusal(await send(await revokedAfterUse(), body))).toEqual([401, "unauthenticated"]);
});

test("a valid key gets each request's own result", async () => {
  const key = await house.makeKey();
  for (const status of [202, 400, 202, 400])
    expect((await send(key, status === 202 ? good : { ...good, to: [] })).status).toBe(status);
});
