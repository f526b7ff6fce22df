import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import type { InputOf, OutputOf } from "../calls/use-case.ts";
import { createWorld, type World } from "../testing/index.ts";
import type { useCases } from "../use-cases.ts";
import type { ShapesGiven, Verbs } from "../verbs/index.ts";
import type { View } from "./bind-verbs.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Printed = Verbs<ShapesGiven<unknown, never>>;
type Declared = typeof useCases;
type Called<A extends keyof Declared & keyof Printed, V> = V extends keyof Printed[A]
  ? Printed[A][V] extends (input: infer I, ...call: never[]) => Promise<infer O>
    ? { input: NonNullable<I>; output: O }
    : never
  : never;
/** Verbs whose printed interface differs from their use case. */
type Mismatched = {
  [A in keyof Declared]: {
    [V in keyof Declared[A]]: A extends keyof Printed
      ? Called<A, V> extends { input: infer I; output: infer O }
        ? [
            keyof InputOf<Declared[A][V]> extends never ? true : Same<I, InputOf<Declared[A][V]>>,
            Same<O, OutputOf<Declared[A][V]>>,
          ] extends [true, true]
          ? never
          : `${A}.${V & string}`
        : `${A}.${V & string}`
      : A;
  }[keyof Declared[A]];
}[keyof Declared];

let world: World;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
});
afterEach(() => world.close());

test("the generated interfaces match the use cases", () => {
  const none: [Mismatched] extends [never] ? true : Mismatched = true;
  expect(none).toBe(true);
});

describe("a view", () => {
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };

  test.each([{ idempotencyKey: "order-1" }, { workspaceID: 1 }])(
    "refuses the unknown option %o by name",
    async (option) => {
      const { id: workspaceId } = await world.addWorkspace();
      const options: { workspaceId: number } = { workspaceId, ...option };
      const [name = ""] = Object.keys(option);
      await expect(world.posthorn.emails.send(mail, options)).rejects.toThrow(
        new TypeError(
          `emails.send has no call option "${name}": there are workspaceId, as, client, transaction; everything else belongs to its input, the first argument`,
        ),
      );
      expect((await world.posthorn.emails.list({}, { workspaceId })).total).toBe(0);
    },
  );

  test.each([
    [{ workspaceId: "1" }, `takes as "workspaceId" a workspace's number, or "all", not a string`],
    [{ workspaceId: Number.NaN }, `takes as "workspaceId" a workspace's number, or "all", not NaN`],
    [{ workspaceId: 1.5 }, `takes as "workspaceId" a workspace's number, or "all", not 1.5`],
    [{ workspaceId: 1n }, `takes as "workspaceId" a workspace's number, or "all", not a bigint`],
    [
      { as: { id: 7, name: "Ada" } },
      'takes as "as" a caller, such as findUser or authenticateApiKey answers, not such an object; leave it out to act as the host itself',
    ],
    [{ client: "127.0.0.1" }, 'takes as "client" an object with ip and userAgent, not a string'],
    [{ client: { ip: null } }, 'takes as "client.ip" a text, not null'],
  ])("refuses %o of a wrong type by name", async (option, message) => {
    const { id: workspaceId } = await world.addWorkspace();
    const options = { workspaceId, ...option } as { workspaceId: number };
    await expect(world.posthorn.emails.send(mail, options)).rejects.toThrow(
      new TypeError(`emails.send ${message}`),
    );
    expect(() => world.posthorn.workspace("1" as never)).toThrow(
      new TypeError("workspace takes a workspace's number, not a string"),
    );
    for (const caller of [7, { kind: "user", userId: 1.5 }, { kind: "api_key", workspaceId: "7" }])
      expect(() => world.posthorn.as(caller as never)).toThrow("as takes a caller, such as findUser or ");
  });

  test("acts on its workspace, as its caller, and the audit log says so", async () => {
    const workspace = await world.addWorkspace();
    const shop = world.posthorn.workspace(workspace.id);
    await shop.emails.send(mail);
    expect((await shop.emails.list()).total).toBe(1);
    const owner = shop.as(workspace.owner);
    await owner.templates.create({ name: "welcome", subject: "Hi", text: "x" });
    const { items } = await owner.auditLog.listForWorkspace();
    expect(items[0]).toMatchObject({ type: "template.created", actorId: workspace.owner.userId });
  });

  test.each([undefined, null])(
    "and a call refuse the caller %s, who would be the host itself",
    async (as) => {
      const { id: workspaceId } = await world.addWorkspace();
      const template = { name: "welcome", subject: "Hi", text: "x" };
      const missing = as as never;
      await expect(world.posthorn.templates.create(template, { workspaceId, as: missing })).rejects.toThrow(
        `templates.create takes as "as" a caller (findUser answers undefined for a user who does not exist), not ${as}; leave it out to act as the host itself`,
      );
      expect(() => world.posthorn.as(missing)).toThrow(
        new TypeError(
          `as takes a caller (findUser answers undefined for a user who does not exist), not ${as}`,
        ),
      );
      expect((await world.posthorn.templates.list({}, { workspaceId })).total).toBe(0);
    },
  );

  test("inside a transaction refuses to be made for none, and stays inside for calls that name none", async () => {
    const { id: workspaceId } = await world.addWorkspace();
    for (const none of [undefined, null])
      expect(() => world.posthorn.within(none as never)).toThrow(
        new TypeError(`within takes an open transaction, not ${none}`),
      );
    expect(() => world.posthorn.workspace(undefined as never)).toThrow(
      "workspace takes a workspace's number",
    );
    const inside = world.posthorn.within({ ended: true } as never) as unknown as View<unknown>;
    const options = { workspaceId, transaction: undefined };
    await expect(inside.emails.send(mail, options)).rejects.toThrow("transaction must be");
    await (world.posthorn as unknown as View<unknown>).emails.send(mail, options);
    expect((await world.posthorn.emails.list({}, { workspaceId })).total).toBe(1);
  });

  test("of a client whose address is undefined has none in the audit log", async () => {
    const { asOwner } = await world.addWorkspace();
    const client = { ip: undefined, userAgent: undefined };
    await world.posthorn.workspaces.update({ name: "Apex" }, { ...asOwner, client });
    const { items } = await world.posthorn.auditLog.listForWorkspace({}, asOwner);
    expect(items[0]).toMatchObject({ type: "workspace.updated", clientIp: "" });
  });

  test("of a key acts on the key's workspace", async () => {
    const workspace = await world.addWorkspace();
    const { key } = await world.posthorn.apiKeys.create({ name: "k" }, workspace.asOwner);
    const caller = await world.posthorn.authenticateApiKey(key);
    if (caller === undefined) throw new Error("the key can't be used");
    await world.posthorn.as(caller).emails.send(mail);
    expect((await world.posthorn.workspace(workspace.id).emails.list()).total).toBe(1);
  });

  test("leaves the original unchanged, and an option of the call takes precedence", async () => {
    const [one, other] = [await world.addWorkspace(), await world.addWorkspace()];
    const view = world.posthorn.workspace(one.id);
    await view.workspace(other.id).emails.send(mail);
    await view.emails.send(mail, { workspaceId: other.id });
    expect((await view.emails.list()).total).toBe(0);
    expect((await view.emails.list({}, { workspaceId: other.id })).total).toBe(2);
  });
});
