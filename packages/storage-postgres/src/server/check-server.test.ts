import { expect, onTestFinished, test } from "vitest";
import {
  newSchema,
  runOnce,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../index.ts";

/** Creates a database for a test, and returns its connection string. */
const createDatabase = async (options: string, parameters: Record<string, string> = {}): Promise<string> => {
  const connectionString = await testPostgresUrl();
  const name = newSchema();
  await runOnce(connectionString, `create database ${name} template template0 ${options}`);
  onTestFinished(async () => void (await runOnce(connectionString, `drop database ${name} with (force)`)));
  const url = new URL(withParameters(connectionString, parameters));
  url.pathname = `/${name}`;
  return url.href;
};

test.for(["LATIN1", "SQL_ASCII"])("a database with the encoding %s is refused", async (encoding) => {
  const connectionString = await createDatabase(`encoding '${encoding}' locale 'C'`);
  await expect(createPostgresStorage({ connectionString, timeouts: unhurried })).rejects.toThrow(
    `Posthorn needs a database with the encoding UTF8, which holds every character: this one has ${encoding}`,
  );
});

test("a Turkish database, and settings as of 1999, change nothing about what is found", async (context) => {
  const [server] = await runOnce(await testPostgresUrl(), "show server_version_num");
  context.skip(Number(server?.["server_version_num"]) < 150_000, "a database has no locale of ICU there");
  const settings = ["standard_conforming_strings=off", "backslash_quote=off", "DateStyle=German"];
  const connectionString = await createDatabase(
    "encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'tr-TR'",
    { options: settings.map((setting) => `-c ${setting}`).join(" ") },
  );
  expect(await runOnce(connectionString, "select lower('INFO') as it")).toEqual([{ it: "ınfo" }]);
  const storage = await createPostgresStorage({ connectionString, timeouts: unhurried });
  onTestFinished(() => storage.close());
  await storage.migrate();
  const { id: workspaceId } = await storage.workspaces.insert({ name: "INFINITE", createdAt: 1 });
  const { items: workspaces } = await storage.workspaces.list({ q: "infin" }, { offset: 0, limit: 1 });
  expect(workspaces.map(({ id }) => id)).toEqual([workspaceId]);
  const event = {
    category: "email" as const,
    type: "email.bounced",
    workspaceId,
    userId: undefined,
    actorId: undefined,
  };
  const texts = {
    actorName: "",
    clientIp: "",
    message: "no INFO@A.EXAMPLE here",
    metadata: "{}",
    createdAt: 1,
  };
  await storage.events.append([{ ...event, ...texts }]);
  const address = "info@a.example";
  const person = { workspaceId, address, addressKey: address, erasedAs: "erased-0123abcd@invalid" };
  expect(await storage.recipients.eraseFrom("events", person, "")).toMatchObject({ changed: 1 });
});

/** Creates a database with our tables, and a role that may use them, but not change the schema. */
const createRole = async () => {
  const connectionString = await createDatabase("encoding 'UTF8' locale 'C'");
  const owner = await createPostgresStorage({ connectionString, timeouts: unhurried });
  await owner.migrate();
  await owner.close();
  const role = newSchema();
  await runOnce(connectionString, `create role ${role} login password 'x'`);
  onTestFinished(async () => {
    await runOnce(connectionString, `drop owned by ${role}`);
    await runOnce(connectionString, `drop role ${role}`);
  });
  await runOnce(connectionString, `grant usage on schema posthorn to ${role}`);
  const rights = "select, insert, update, delete on all tables";
  await runOnce(connectionString, `grant ${rights} in schema posthorn to ${role}`);
  await runOnce(connectionString, `grant all on all sequences in schema posthorn to ${role}`);
  const url = new URL(connectionString);
  url.username = role;
  url.password = "x";
  const open = () => createPostgresStorage({ connectionString: url.href, timeouts: unhurried });
  return { role, open, run: (text: string) => runOnce(connectionString, text) };
};

test("tables whose rows a policy may hide from the role are refused, until it is exempt", async () => {
  const { role, open, run } = await createRole();
  await run("create table posthorn.others (id int)");
  await run("alter table posthorn.others enable row level security");
  await (await open()).close();
  await run("alter table posthorn.suppressions enable row level security");
  await expect(open()).rejects.toThrow(
    `row level security of posthorn.suppressions applies to the role ${role}: exempt the role`,
  );
  await run(`alter role ${role} bypassrls`);
  await (await open()).close();
});

test("a role that does not own the tables starts on them, unless it lacks a right on one", async () => {
  const { role, open, run } = await createRole();
  const storage = await open();
  onTestFinished(() => storage.close());
  expect(await storage.migrate()).toEqual([]);
  await run("create table posthorn.others (id int)");
  expect(await storage.migrate()).toEqual([]);
  for (const right of ["select", "insert", "update", "delete"]) {
    await run(`revoke ${right} on posthorn.erasures from ${role}`);
    await expect(storage.migrate()).rejects.toThrow(
      `the role ${role} may not read and change posthorn.erasures: grant it select, insert`,
    );
    await run(`grant ${right} on posthorn.erasures to ${role}`);
  }
  // Without it, each e-mail and event would fail.
  await run(`revoke all on sequence posthorn.events_id_seq from ${role}`);
  await expect(storage.migrate()).rejects.toThrow(
    `the role ${role} may not read and change posthorn.events_id_seq: grant it select, insert`,
  );
  await run(`grant usage on sequence posthorn.events_id_seq to ${role}`);
  expect(await storage.migrate()).toEqual([]);
});

test("a role that loses a right finds the storage unavailable, on a connection that stays", async () => {
  const { role, open, run } = await createRole();
  const storage = await open();
  onTestFinished(() => storage.close());
  await run(`revoke all on posthorn.plans, posthorn.facts from ${role}`);
  const unavailable = { name: "StorageUnavailable", isFinal: false };
  await expect(storage.plans.list()).rejects.toMatchObject(unavailable);
  await expect(storage.transaction(() => storage.plans.list())).rejects.toMatchObject(unavailable);
  await run(`grant select on posthorn.plans to ${role}`);
  expect(await storage.plans.list()).toBeDefined();
});

test("a first start by a role without the rights for it says what to grant, to which role", async () => {
  const { role, open, run } = await createRole();
  const storage = await open();
  onTestFinished(() => storage.close());
  await run(`revoke usage on schema posthorn from ${role}`);
  const refusal = async () => {
    const error: unknown = await storage.migrate().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "42501" });
    return (error as Error).message;
  };
  const all =
    "select, insert, update and delete on all tables in the schema, and usage, select and update on all sequences";
  expect(await refusal()).toBe(
    `the role ${role} may not use the schema posthorn: grant it usage of it, ${all}: permission denied for schema posthorn`,
  );
  await run("drop schema posthorn cascade");
  const [{ name } = { name: "" }] = await run("select current_database() as name");
  const others = `migrate as another role, and grant this one usage of the schema, ${all}: permission denied for`;
  expect(await refusal()).toBe(
    `the role ${role} may not create the schema posthorn: "grant create on database ${name} to ${role}"; or ${others} database ${name}`,
  );
  await run(`create schema posthorn; grant usage on schema posthorn to ${role}`);
  expect(await refusal()).toBe(
    `the role ${role} may not create or change the tables in the schema posthorn: ${others} schema posthorn`,
  );
  await run(`drop schema posthorn; grant create on database ${name} to ${role}`);
  expect(await storage.migrate()).not.toEqual([]);
});
