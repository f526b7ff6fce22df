import { createClient } from "@posthorn/client";
import { type CallOptions, createPosthorn } from "@posthorn/core";
import { createWorld } from "@posthorn/core/testing";
import { createPosthornServer, toNodeHandler, toWebHandler } from "@posthorn/http";
import { createCaptureMailer, createSmtpMailer } from "@posthorn/mailer-smtp";
import { createPostgresStorage } from "@posthorn/storage-postgres";
import { createSqliteStorage, type SqliteTransaction } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";

/** The options that a type lets be left out, each `undefined`. */
type Unset<T> = { [K in keyof T as Record<never, never> extends Pick<T, K> ? K : never]: undefined };

/** The last of a function's parameters with all of its options that may be left out set to `undefined`. */
const unset = <F extends (...args: never[]) => unknown>(
  _: F,
  ...names: (keyof Unset<Last<Required<Parameters<F>>>>)[]
): Unset<Last<Required<Parameters<F>>>> =>
  Object.fromEntries(names.map((name) => [name, undefined])) as never;

type Last<T extends unknown[]> = T extends [...unknown[], infer L] ? L : never;

const secretKey = "a secret key that only this test ever uses";

// With `exactOptionalPropertyTypes`, this file compiles only if each type says that its options may be undefined.
test("an option that is undefined is one that was left out, in types and at run time", async () => {
  const parts = ["baseUrl", "defaultSender", "worker", "webhooks", "clock", "logger", "workspace"] as const;
  const storage = await createSqliteStorage({
    ...unset(
      createSqliteStorage,
      "database",
      "tablePrefix",
      "writeTurns",
      "readThreadFrom",
      "clock",
      "onFatal",
    ),
    filename: ":memory:",
  });
  const capture = unset(createCaptureMailer, "directory", "limit", "dkim", "allowPrivateServers");
  const mailer = createCaptureMailer(capture);
  const posthorn = createPosthorn({ ...unset(createPosthorn, ...parts), storage, mailer, secretKey });
  expect(posthorn.config).toEqual(createPosthorn({ storage, mailer, secretKey }).config);
  await posthorn.migrate();

  const call: Unset<Pick<CallOptions<SqliteTransaction>, "client" | "transaction">> = {
    client: undefined,
    transaction: undefined,
  };
  const { id } = await posthorn.workspaces.ensure({ externalId: "one", name: "Shop" }, call);
  const nodes = [
    "prefix",
    "limits",
    "authenticate",
    "trustProxy",
    "corsOrigins",
    "metricsToken",
    "routes",
  ] as const;
  const limits = { writeTimeoutMs: undefined, maxUnreadBytes: undefined, maxBodyBytes: undefined };
  const handler = toNodeHandler(posthorn, { ...unset(toNodeHandler, ...nodes), limits });
  const web = toWebHandler(posthorn, {
    ...unset(toWebHandler, "prefix", "authenticate"),
    clientAddress: () => "",
  });
  expect((await web(new Request("http://shop.example/healthz"))).status).toBe(200);
  const server = createPosthornServer(posthorn, unset(createPosthornServer, ...nodes, "maxConnections"));
  const { url } = await server.listen(0, "127.0.0.1");
  const { key } = await posthorn.apiKeys.create({ name: "site" }, { workspaceId: id });
  const client = createClient(url, {
    ...unset(createClient, "token", "workspaceId", "retries", "timeoutMs", "fetch"),
    apiKey: key,
  });
  expect((await client.request("GET /emails")).pagination.total).toBe(0);
  await server.stop();
  handler.close();
  await posthorn.close();
  await storage.close();
});

test("so it is with the SMTP mailer, PostgreSQL's storage and a world for tests", async () => {
  const smtp = ["connections", "servers", "dkim", "maxPerSecond", "timeouts", "tls", "accessToken"] as const;
  const mailer = createSmtpMailer({ ...unset(createSmtpMailer, ...smtp), url: "smtp://127.0.0.1:1" });
  const within = {
    timeouts: { connect: undefined },
    serverTimeouts: { dot: undefined },
    tls: { ca: undefined },
  };
  await createSmtpMailer({ ...within, url: "smtp://127.0.0.1:1" }).close();
  expect(mailer.concurrency).toBe(createSmtpMailer({ url: "smtp://127.0.0.1:1" }).concurrency);
  await mailer.close();

  const pool = ["connectionString", "pool", "schema", "clock", "logger", "max", "timeouts"] as const;
  const without = "createPostgresStorage needs a connectionString or a pool";
  await expect(createPostgresStorage(unset(createPostgresStorage, ...pool))).rejects.toThrow(without);
  await expect(createPostgresStorage({ timeouts: { query: undefined } })).rejects.toThrow(without);

  const storage = await createSqliteStorage({ filename: ":memory:" });
  const own = { secretKey: undefined, clock: undefined, databaseClock: undefined };
  const kept = { defaultSender: undefined, random: undefined, workspace: undefined, logger: undefined };
  const world = await createWorld(storage, { ...own, ...kept });
  const { id: workspaceId } = await world.addWorkspace({ name: undefined, owner: undefined });
  await world.posthorn.emails.send({ to: ["ada@example.com"], subject: "Hi", text: "x" }, { workspaceId });
  await world.posthorn.drain({ signal: undefined, onHandled: undefined });
  expect(world.mailer.inbox.find({ to: undefined, subject: "Hi" })?.from.address).toBe(
    "no-reply@posthorn.example",
  );
  await world.close();
});
