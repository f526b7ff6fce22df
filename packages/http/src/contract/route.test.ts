import { type Access, ServiceError } from "@posthorn/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startServer, type TestServer } from "../../test/start-server.ts";
import { createDispatcher } from "../server/dispatch.ts";
import { bindRoute } from "../server/routing/bind-route.ts";
import { type Route, route, wire } from "./route.ts";
import type { WireRequest } from "./wire-request.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const access: Access = "anonymous";
const itemWire = wire(z.object({ item_name: z.string() }), ({ itemName }: { itemName: string }) => ({
  item_name: itemName,
}));
const listItems = {
  access,
  reads: true,
  input: z.strictObject({ shopId: z.int(), page: z.int().default(0), size: z.int().default(2) }),
  run: async (_: never, { page, size }: { page: number; size: number }) => ({
    items: [{ itemName: "a" }, { itemName: "b" }],
    total: 5,
    page,
    size,
  }),
};
const refuse = {
  access,
  refusals: ["invalid_two_factor_code"] as const,
  reads: true,
  input: z.strictObject({ code: z.string() }),
  run: async (): Promise<{ itemName: string }> => {
    throw new ServiceError("invalid_two_factor_code");
  },
};

async function ask(line: Route, request: Partial<WireRequest>, body?: unknown) {
  const reply = await createDispatcher(server.world.posthorn, { routes: [line] }).dispatch({
    method: line.method,
    target: "/",
    headers: { "content-type": "application/json" },
    repeatedAuthorization: false,
    ip: "127.0.0.1",
    readBody: async () => (body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body))),
    openBody: async function* () {},
    ...request,
  });
  return { status: reply.status, body: JSON.parse(String(reply.body)) as unknown };
}

describe("a route", () => {
  test("passes the path's parameter to the use case, and wraps a page in its envelope", async () => {
    const line = route("GET /shops/{id}/items", listItems, {
      summary: "List items",
      params: { id: "shopId" },
      envelope: "page",
      reply: itemWire,
    });
    expect(await ask(line, { target: "/api/v1/shops/7/items?page=1" })).toEqual({
      status: 200,
      body: {
        success: true,
        data: [{ item_name: "a" }, { item_name: "b" }],
        pagination: { page: 1, size: 2, total: 5, total_pages: 3 },
      },
    });
    expect(await ask(line, { target: "/api/v1/shops/7/items?shop_id=8" })).toMatchObject({ status: 400 });
    expect(await ask(line, { target: "/api/v1/shops/x/items" })).toMatchObject({
      body: { error: { details: [{ path: "id" }] } },
    });
  });

  test("can have its own status for a refusal", async () => {
    const own = { summary: "Log in", reply: itemWire, statuses: { invalid_two_factor_code: 401 } } as const;
    const body = { code: "1" };
    const login = await ask(route("POST /login", refuse, own), { target: "/api/v1/login" }, body);
    const verify = route("POST /verify", refuse, { summary: "Verify", reply: itemWire });
    expect([login.status, (await ask(verify, { target: "/api/v1/verify" }, body)).status]).toEqual([
      401, 400,
    ]);
  });

  test("can't name a parameter that its use case does not have", () => {
    const line = route("GET /shops/{id}/items", listItems, {
      summary: "",
      envelope: "page",
      reply: itemWire,
    });
    expect(() => bindRoute(line)).toThrow("takes no id");
    const keyed = route("POST /verify", refuse, { summary: "", reply: itemWire, idempotent: true });
    expect(() => bindRoute(keyed)).toThrow("takes no idempotencyKey");
  });
});

test("a wire form of zod 3's schema is refused by name", () => {
  const older = { _def: { typeName: "ZodObject" } } as unknown as z.ZodType;
  expect(() => wire(older, () => ({}))).toThrow(
    new TypeError(`wire's first argument must be a schema of zod 4, which zod 3.25 has as "zod/v4"`),
  );
});
