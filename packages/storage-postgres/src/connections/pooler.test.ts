import { once } from "node:events";
import { connect, createServer } from "node:net";
import { StorageUnavailable } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { eventually, untilAvailable } from "../../test/eventually.ts";
import { newSchema, runOnce, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";
import { createRecordingLogger } from "../../test/recording-logger.ts";
import { createPostgresStorage } from "../index.ts";
import { Unheard } from "./assert-own-process.ts";

/** An ErrorResponse in PgBouncer's format. */
const refusal = (message: string, code = "08P01"): Buffer => {
  const fields = `SFATAL\0C${code}\0M${message}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
};

/** Gives a BackendKeyData in what a server says another process number, as poolers do. */
const withNumberOfItsOwn = (said: Buffer): Buffer => {
  const at = said.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) said.writeInt32BE(1, at + 5);
  return said;
};

interface Pooler {
  /** Returns the answer to a client's first message; `undefined` lets the client through. */
  answer?(startup: Buffer): Buffer | undefined;
  /** Returns the answer to a later message, with which the client's connection ends. */
  refuse?(said: Buffer): Buffer | undefined;
  /** Called with all data from clients. */
  hear?(said: Buffer): void;
}

/** Starts a proxy to the server that gives clients its own process numbers; returns the URL of the proxy. */
async function startPooler(connectionString: string, { answer, refuse, hear }: Pooler): Promise<string> {
  const { port, hostname } = new URL(connectionString);
  const pooler = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (startup) => {
      const answered = answer?.(startup);
      if (answered !== undefined) return client.end(answered);
      const server = connect(Number(port), hostname);
      server.on("error", () => client.destroy());
      client.on("close", () => server.destroy());
      server.write(startup);
      client.on("data", (said) => {
        hear?.(said);
        const refused = refuse?.(said);
        if (refused !== undefined) return client.end(refused);
        server.write(said);
      });
      server.on("data", (said) => client.write(withNumberOfItsOwn(said)));
      server.on("close", () => client.destroy());
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void pooler.close());
  await once(pooler, "listening");
  const address = pooler.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const url = new URL(connectionString);
  url.port = String(address.port);
  return url.href;
}

test("a server that ends the connection on which a pooler is looked for is unavailable", async () => {
  const connectionString = await startPooler(await testPostgresUrl(), {
    refuse: (said) =>
      said.includes("pg_backend_pid")
        ? refusal("terminating connection due to administrator command", "57P01")
        : undefined,
  });
  const opening = createPostgresStorage({ connectionString, schema: newSchema(), timeouts: unhurried });
  await expect(opening).rejects.toThrow(StorageUnavailable);
});

test("a pooler that refuses start-up parameters is treated as one in transaction mode", async () => {
  const direct = await testPostgresUrl();
  const connectionString = await startPooler(direct, {
    answer: (startup) =>
      startup.includes("statement_timeout")
        ? refusal("unsupported startup parameter: statement_timeout")
        : undefined,
  });
  const common = { connectionString, schema: newSchema(), timeouts: { ...unhurried, connect: 15_000 } };
  await expect(
    createPostgresStorage({ ...common, transactionPooler: false, timeouts: unhurried }),
  ).rejects.toMatchObject({
    cause: { message: "unsupported startup parameter: statement_timeout" },
  });

  const logger = createRecordingLogger();
  const storage = await createPostgresStorage({ ...common, logger, timeouts: unhurried });
  onTestFinished(async () => {
    await storage.close();
    await runOnce(direct, `drop schema if exists "${common.schema}" cascade`);
  });
  await storage.migrate();
  await storage.ping();
  expect(logger.infos.map(({ message }) => message)).toEqual([expect.stringContaining("pooler")]);
});

test("a pooler that allows no transactions is reported as one that no later try gets past", async () => {
  const connectionString = await startPooler(await testPostgresUrl(), {
    refuse: (said) =>
      said.includes("begin")
        ? refusal("transaction blocks not allowed in statement pooling mode")
        : undefined,
  });
  const storage = await untilAvailable(() =>
    createPostgresStorage({ connectionString, schema: newSchema(), timeouts: unhurried }),
  );
  onTestFinished(() => storage.close());
  await expect(storage.migrate()).rejects.toMatchObject({
    name: "StorageUnavailable",
    isFinal: true,
    message: expect.stringContaining("statement pooling mode"),
  });
});

/** A statement's name as it goes over the wire. */
const nameOnTheWire = /posthorn_[\w-]{22}\0/;

test("behind a pooler that ignores time-outs, no statement is prepared by name", async () => {
  const direct = await testPostgresUrl();
  let said = "";
  const connectionString = await startPooler(direct, {
    hear: (bytes) => {
      said += bytes.toString("latin1");
    },
  });
  const logger = createRecordingLogger();
  const common = { schema: newSchema(), timeouts: unhurried };
  const open = (url: string, transactionPooler?: boolean) =>
    createPostgresStorage({
      ...common,
      connectionString: url,
      logger,
      ...(transactionPooler === undefined ? {} : { transactionPooler }),
    });
  const storage = await open(connectionString);
  const told = await open(connectionString, false);
  onTestFinished(async () => {
    await Promise.all([storage.close(), told.close()]);
    await runOnce(direct, `drop schema if exists "${common.schema}" cascade`);
  });
  expect(logger.infos.map(({ message }) => message)).toEqual([expect.stringContaining("pooler")]);
  await storage.migrate();
  said = "";
  for (let time = 0; time < 5; time += 1) await storage.users.find(1);
  expect(said).not.toMatch(nameOnTheWire);
  for (let time = 0; time < 5; time += 1) await told.users.find(1);
  expect(said).toMatch(nameOnTheWire);
});

test("LISTEN through a pooler that forgets who listens is tried once, and the storage polls", async () => {
  const connectionString = await testPostgresUrl();
  // Notifications stay within a database.
  const elsewhere = new URL(connectionString);
  elsewhere.pathname = "/template1";
  let said = "";
  const listenConnectionString = await startPooler(elsewhere.href, {
    hear: (bytes) => {
      said += bytes.toString("latin1");
    },
  });
  const logger = createRecordingLogger();
  const storage = await untilAvailable(() =>
    createPostgresStorage({
      connectionString,
      listenConnectionString,
      logger,
      schema: newSchema(),
      timeouts: { ...unhurried, connect: 500 },
    }),
  );
  let polls = 0;
  storage.subscribe((topic) => {
    if (topic === "emails") polls += 1;
  });
  // A machine that stands still sends the test notification too late; then LISTEN is tried again.
  const isUnheard = ({ fields }: { fields: object }) => "err" in fields && fields.err instanceof Unheard;
  await eventually(() => logger.debugs.some(isUnheard));
  expect(said).toContain('listen "');
  said = "";
  polls = 0;
  await eventually(() => polls >= 4);
  expect(said).not.toContain('listen "');
  await storage.close();
});
