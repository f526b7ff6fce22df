import { readdirSync, readFileSync } from "node:fs";
import { routes } from "@posthorn/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shapeOf } from "../src/contract/wire-names.ts";
import { bindRoute } from "../src/server/routing/bind-route.ts";
import { engines } from "./engines.ts";
import { exampleBody } from "./example-body.ts";
import { faultyFields, type House, openHouse } from "./harness.ts";

const tables = new URL("../../storage-sql/src/tables/", import.meta.url);
/** Names of all columns of all tables. */
const columns = [
  ...new Set(
    readdirSync(tables).flatMap((file) =>
      [...readFileSync(new URL(file, tables), "utf8").matchAll(/^ {4}([a-z]+(?:_[a-z]+)*)(?:: |,$)/gm)].map(
        ([, name = ""]) => name,
      ),
    ),
  ),
];
const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const odd = [
  "__defineGetter__",
  "constructor",
  "prototype",
  "toString",
  "$ne",
  "caller",
  "now",
  "userId",
  "",
];

// reliability.md, threat 41
describe.each(engines.slice(0, 1))("mass assignment on $name", ({ open }) => {
  let house: House;
  let key: string;
  beforeAll(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
  });
  afterAll(() => house.close());

  test("the columns are found", () => {
    expect(columns.length).toBeGreaterThan(100);
    expect(columns).toEqual(
      expect.arrayContaining(["is_admin", "workspace_id", "password_hash", "revoked_at"]),
    );
  });

  // A relay's body has the relay's own format, and is accepted once its signature is valid.
  const taking = routes.filter((route) => bindRoute(route).takesBody && !route.path.startsWith("/inbound/"));

  test.each(taking.map((route) => [route.signature, route] as const))("%s", async (_, route) => {
    const shape = shapeOf(route.useCase.input);
    const inPath = Object.keys(route.params);
    const known = shape.kind === "object" ? [...shape.fields.keys()] : [];
    const documented = known.filter((name) => {
      const field = shape.kind === "object" ? shape.fields.get(name)?.key : undefined;
      return !(Object.values(route.params) as unknown[]).includes(field) && name !== "idempotency_key";
    });
    const names = [...columns, ...columns.map(camelCase), ...odd, ...inPath, "idempotency_key"];
    const undocumented = [...new Set(names)].filter((name) => !documented.includes(name));
    const target = route.path
      .replace(/\/(plans|users|workspaces|invitations|members)\/\{\w+\}/, `/$1/${house.viewer.userId}`)
      .replace(/\{\w+\}/g, "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f");
    const extra = Object.fromEntries(undocumented.map((name) => [name, 1]));
    const answer = await house.call(`${route.method} ${target}`, {
      as:
        route.access === "api_key"
          ? key
          : route.access === "administrator"
            ? house.administrator
            : house.owner,
      body: { ...exampleBody(route), ...extra },
    });
    const [status, fields] = faultyFields(answer);
    // A response names the first 20; the schema is asked for the rest.
    expect([status, fields.length, fields.filter((name) => !undocumented.includes(name))]).toEqual([
      400,
      20,
      [],
    ]);
    const given = { params: {}, query: "", body: extra, idempotencyKey: undefined };
    const { error } = route.useCase.input.safeParse(bindRoute(route).read(given));
    const unknown = error?.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
    );
    expect(unknown?.toSorted()).toEqual(undocumented.map((name) => `?${name}`).toSorted());
  });
});
