import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { checkOpenFiles } from "../src/commands/doctor/check-open-files.ts";
import { databaseFault } from "../src/program/errors/database-fault.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { type OpenOptions, openService } from "../src/service/open-service.ts";
import { findUnreadableSecrets } from "../src/service/secrets/unreadable-secrets.ts";
import { makeFolder, runCommand } from "./run-command.ts";

const key = "the key that this database was begun with";

function world(env: Record<string, string> = {}) {
  const cwd = makeFolder();
  const file = join(cwd, "mail.db");
  const open = async (options?: OpenOptions, more: Record<string, string> = {}) => {
    const { values } = loadConfig({ databaseUrl: `sqlite:${file}` }, { ...env, ...more }, {});
    const service = await openService(values, options);
    onTestFinished(() => service.close());
    return service;
  };
  return { cwd, file, open };
}

test("commands that read or administer neither create a database nor change its schema", async () => {
  const { cwd, file, open } = world();
  await expect(open()).rejects.toMatchObject({
    failure: "not_found",
    message: `There is no database at ${file}.`,
  });
  await expect(open({ database: "migrate" })).rejects.toMatchObject({ failure: "not_found" });
  expect(readdirSync(cwd)).toEqual([]);

  writeFileSync(file, "");
  await expect(open()).rejects.toMatchObject({
    failure: "conflict",
    hint: expect.stringContaining("posthorn migrate"),
  });
  expect(readFileSync(file)).toHaveLength(0);
  expect(existsSync(join(cwd, "mail.secret"))).toBe(false);
});

test("commands that create no tables leave another program's SQLite file as it is", async () => {
  const { cwd, file, open } = world();
  const database = new DatabaseSync(file);
  database.exec("create table orders (article text)");
  database.close();
  const before = readFileSync(file);
  await expect(open()).rejects.toMatchObject({
    failure: "conflict",
    message: `The database ${file} has no tables of Posthorn yet.`,
  });
  for (const line of [
    ["doctor"],
    ["migrate", "--dry-run"],
    ["copy", "--from", `sqlite:${file}`, "--to", "sqlite:copy.db"],
    ["config", "replace-secret-key", "--yes"],
  ])
    await runCommand([...line, "--database-url", `sqlite:${file}`], { cwd });
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(cwd)).toEqual(["mail.db"]);
  await open({ database: "migrate" });
});

test("a newer schema is a conflict for every command, with what to do", async () => {
  const { file, open } = world();
  await (await open({ database: "make" })).close();
  const database = new DatabaseSync(file);
  database.exec("insert into posthorn_schema_migrations values ('9999-future', 'x', 1)");
  database.close();
  const refusal = { failure: "conflict", hint: expect.stringContaining("a newer one") };
  await expect(open()).rejects.toMatchObject(refusal);
  await expect(open({ database: "make" })).rejects.toMatchObject({
    ...refusal,
    message: `The database ${file} has migration 9999-future, which this version of Posthorn doesn't know: run a newer version.`,
  });
});

test("a lost secret key is replaced by one whose place is named", async () => {
  const { cwd, file, open } = world();
  await (await open({ database: "make" })).close();
  const keyFile = join(cwd, "mail.secret");
  const former = readFileSync(keyFile, "utf8");
  rmSync(keyFile);
  const line = ["config", "replace-secret-key", "--yes", "--database-url", `sqlite:${file}`];
  const replaced = await runCommand(line, { cwd });
  expect(replaced).toMatchObject({ code: 0, stderr: expect.stringContaining(`secret key in ${keyFile}.`) });
  expect(readFileSync(keyFile, "utf8")).not.toBe(former);
  await open();
});

test("the database's own secret key is not told to be replaced by itself", async () => {
  const { cwd, file, open } = world();
  await (await open({ database: "make" })).close();
  const line = ["config", "replace-secret-key", "--yes", "--database-url", `sqlite:${file}`];
  const { code, stderr } = await runCommand(line, { cwd });
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /mail\.secret already: nothing was changed\.\nTo replace it, move that file away, and name it in/,
  );
});

test("with the former key named, the secret key is replaced without a question, and nothing is given up", async () => {
  const { cwd, file, open } = world();
  const { posthorn, close } = await open({ database: "make" });
  const user = await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "a long and odd one",
  });
  const { id: workspaceId } = await posthorn.workspaces.createFor({ name: "Shop", userId: user.id });
  const as = await posthorn.findUser(user.id);
  if (as === undefined) throw new Error("the user is gone");
  const asOwner = { workspaceId, as };
  await posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner);
  await close();
  const [keyFile, formerFile] = [join(cwd, "mail.secret"), join(cwd, "former.secret")];
  renameSync(keyFile, formerFile);
  const line = ["config", "replace-secret-key", "--database-url", `sqlite:${file}`];
  const asked = await runCommand(line, { cwd });
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("No known key opens 1 inbound endpoint secret;"),
  });

  const env = { SERVICE_FORMER_SECRET_KEYS_FILE: formerFile };
  const counted = [{ secrets: "inbound_secrets", resealed: 1, unreadable: 0 }];
  const dry = await runCommand([...line, "--dry-run"], { cwd, env });
  expect(JSON.parse(dry.stdout)).toEqual(counted);
  expect(existsSync(keyFile)).toBe(false);
  const other = { SERVICE_SECRET_KEY: key, SERVICE_FORMER_SECRET_KEYS: readFileSync(formerFile, "utf8") };
  await expect(open(undefined, other)).rejects.toMatchObject({
    message: expect.stringContaining("which is one of SERVICE_FORMER_SECRET_KEYS"),
    hint: expect.stringContaining("config replace-secret-key"),
  });
  const replaced = await runCommand(line, { cwd, env });
  expect(replaced).toMatchObject({ code: 0, stderr: expect.stringContaining("Leave the former key") });
  expect(JSON.parse(replaced.stdout)).toEqual(counted);
  const { storage } = await open();
  expect(await findUnreadableSecrets(storage, readFileSync(keyFile, "utf8").trim())).toEqual([]);
  await storage.operations.keepFact("secret_key_replacement", "another");
  await expect(open()).rejects.toMatchObject({ message: expect.stringMatching(/was interrupted\.$/) });
});

test("makes no new secret key beside an existing database, and accepts no other key", async () => {
  const { cwd, open } = world();
  await (await open({ database: "make" })).close();
  const { posthorn } = await open();
  await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "a long and odd passphrase",
  });
  const file = join(cwd, "mail.secret");
  rmSync(file);
  const lost = { failure: "conflict", message: expect.stringContaining(file) };
  await expect(open()).rejects.toMatchObject(lost);
  await expect(open({ database: "make" })).rejects.toMatchObject(lost);
  expect(existsSync(file)).toBe(false);
  const other = {
    failure: "conflict",
    message: expect.stringContaining("in SERVICE_SECRET_KEY is not the one"),
  };
  await expect(open(undefined, { SERVICE_SECRET_KEY: key })).rejects.toMatchObject(other);
});

test("reports a bad setting before creating anything, by one name", async () => {
  const { cwd, open } = world();
  await expect(open({ database: "make" }, { SERVICE_DEFAULT_SENDER: "nobody" })).rejects.toThrow(
    /^SERVICE_DEFAULT_SENDER must be/,
  );
  const weak = open({ database: "make" }, { SERVICE_SECRET_KEY: "short" });
  await expect(weak).rejects.toThrow(/^SERVICE_SECRET_KEY must be/);
  await expect(open({ database: "make", mail: "deliver" })).rejects.toThrow("SERVICE_SMTP_URL is not set");
  expect(readdirSync(cwd)).toEqual([]);
});

test("commands that only read don't wait for another process that writes to the same file", async () => {
  const { file, open } = world();
  await (await open({ database: "make" })).close();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  const { posthorn } = await open();
  expect((await posthorn.workspaces.listAll({})).items).toEqual([]);
});

test("reports a folder in the database's place", async () => {
  const { values } = loadConfig({ databaseUrl: `sqlite:${makeFolder()}` }, {}, {});
  await expect(openService(values, { database: "make" })).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringMatching(/ is a folder\.$/),
  });
});

test("reports a missing folder as missing", async () => {
  const { values } = loadConfig({ databaseUrl: "sqlite:/nowhere/at/all/mail.db" }, {}, {});
  await expect(openService(values, { database: "make" })).rejects.toMatchObject({
    failure: "not_found",
    message: expect.stringContaining("its folder does not exist"),
  });
});

test.each([
  [Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "nothing listens at its address", "unavailable"],
  [
    new AggregateError([Object.assign(new Error("x"), { code: "ECONNREFUSED" })]),
    "nothing listens",
    "unavailable",
  ],
  [
    new Error("x", { cause: Object.assign(new Error("y"), { code: "28P01" }) }),
    "the user or the password",
    "unavailable",
  ],
  [Object.assign(new Error("x"), { code: "28000" }), "from here, or only with TLS", "unavailable"],
  [Object.assign(new Error("x"), { code: "3D000" }), "no database of that name", "not_found"],
  [
    Object.assign(new Error("x"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
    "is for another host",
    "unavailable",
  ],
  [Object.assign(new Error("x"), { code: "CERT_HAS_EXPIRED" }), "has expired", "unavailable"],
  [Object.assign(new Error("x"), { code: "55000" }), "it is closed to connections", "unavailable"],
  [
    Object.assign(new Error("x"), { cause: Object.assign(new Error("y"), { code: "25006" }) }),
    "it takes no writes, as a standby, or by default_transaction_read_only",
    "unavailable",
  ],
  [
    Object.assign(new Error("x"), { code: "SQLITE_BUSY_SNAPSHOT" }),
    "another process holds its lock",
    "unavailable",
  ],
  [
    Object.assign(new Error("x"), { code: "SQLITE_READONLY_DIRECTORY" }),
    "this user may not write it, or its file system is read-only",
    "not_allowed",
  ],
  [Object.assign(new Error("x"), { code: "SQLITE_IOERR_SHMSIZE" }), "its disk is full", "unavailable"],
  [Object.assign(new Error("x"), { code: "SQLITE_IOERR_FSYNC" }), "its disk reports a fault", "unavailable"],
  [new Error("PostgreSQL takes no writes"), "it takes no writes, as a standby", "unavailable"],
  [new Error("timeout exceeded when trying to connect"), "it can't be reached", "unavailable"],
  [new Error("it burns."), "is unavailable: it burns.", "unavailable"],
])("names a fault of the database: %s", (error, words, failure) => {
  expect(databaseFault(error)).toMatchObject({ failure, message: expect.stringContaining(words) });
});

test.runIf(process.platform === "linux")(
  "the doctor finds a process that writes to a removed file",
  async () => {
    const { file, open } = world();
    await open({ database: "make" });
    expect(await checkOpenFiles(file)).toMatchObject([{ state: "ok" }]);
    rmSync(`${file}-wal`);
    expect(await checkOpenFiles(file)).toMatchObject([
      {
        state: "broken",
        found: expect.stringContaining(`${file}-wal was removed or replaced while process`),
      },
    ]);
  },
);
