import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { newSchema, runOnce, testPostgresUrl, unhurried } from "../test/open-test-storage.ts";
import { createRecordingLogger } from "../test/recording-logger.ts";
import { createPostgresStorage } from "./index.ts";

/** An ErrorResponse as PgBouncer writes it. */
const refusal = (parameter: string): Buffer => {
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
};

/** A way to the server on which connections may not begin with time-outs; the URL that leads through it. */
async function startPickyPooler(connectionString: string): Promise<string> {
  const { port, hostname } = new URL(connectionString);
  const pooler = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (startup) => {
      if (startup.includes("statement_timeout")) return client.end(refusal("statement_timeout"));
      const server = connect(Number(port), hostname);
      server.on("error", () => client.destroy());
      client.on("close", () => server.destroy());
      server.write(startup);
      client.pipe(server).pipe(client);
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

test("a pooler that refuses what connections begin with is used like one in transaction mode", async () => {
  const direct = await testPostgresUrl();
  const connectionString = await startPickyPooler(direct);
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
