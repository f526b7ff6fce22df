import { randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { testCertificate } from "../../mailer-smtp/test/test-certificate.ts";
import { runOnce, testPostgresUrl } from "../../storage-postgres/test/open-test-storage.ts";
import { openStorage } from "../src/service/database/open-storage.ts";
import { makeFolder, runCommand } from "./run-command.ts";

const secureContext = createSecureContext(testCertificate);

/** Starts a server that does this with the first bytes of a connection; returns its address. */
async function startServer(begin: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => begin(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

const cut = (socket: Socket): void => void socket.destroy();
const withoutTls = (socket: Socket): void => void socket.end("N");
const withTls = (socket: Socket): void => {
  socket.write("S");
  new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => {});
};

const open = (url: string) => openStorage({ database_url: url });

test.each([
  [cut, "", "it cut the connection", "pool_mode can't be statement"],
  [withoutTls, "?sslmode=verify-full", "it offers no TLS", "leave sslmode out"],
  [withTls, "?sslmode=verify-full", "not of an authority that is trusted here", "sslrootcert=FILE"],
])("says why a PostgreSQL can't be connected to: %o %s %s", async (begin, parameters, words, hint) => {
  const address = await startServer(begin);
  await expect(open(`postgres://u:p@${address}/mail${parameters}`)).rejects.toMatchObject({
    message: expect.stringContaining(words),
    hint: expect.stringContaining(hint),
  });
});

test.skipIf(process.platform === "win32")(
  "says which file or socket of a PostgreSQL's URL is missing",
  async () => {
    const missing = encodeURIComponent(join(makeFolder(), "missing"));
    const tls = `postgres://u:p@127.0.0.1:1/mail?sslmode=verify-full&sslrootcert=${missing}`;
    await expect(open(tls)).rejects.toThrow("a certificate's file is missing");
    await expect(open(`postgres://u:p@/mail?host=${missing}`)).rejects.toThrow(
      "nothing listens at its socket",
    );
  },
);

test("a PostgreSQL user without the right to create the schema is told which right that is", async () => {
  const url = new URL(await testPostgresUrl());
  const role = `weak_${randomUUID()}`;
  const drop = `drop role "${role}"`;
  await runOnce(url.href, `create role "${role}" login password 'x'`);
  onTestFinished(async () => void (await runOnce(url.href, drop)));
  // Whoever is connected to template1 would keep other tests from creating databases.
  const weak = Object.assign(new URL(url), { username: role, password: "x", pathname: "/postgres" });
  expect(await runCommand(["migrate", "--database-url", weak.href], { cwd: makeFolder() })).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /The role "weak_.* may not (create|use) the schema posthorn.*grant create on database/s,
    ),
  });
});

test("advice about a database's URL names the option that gave it", async () => {
  const cwd = makeFolder();
  const url = "postgres://127.0.0.1:1/mail";
  for (const [args, env, place] of [
    [["--database-url", url], {}, "--database-url"],
    [[], { SERVICE_DATABASE_URL: url }, "SERVICE_DATABASE_URL"],
  ] as const)
    expect(await runCommand(["migrate", ...args], { cwd, env })).toMatchObject({
      code: 7,
      stderr: expect.stringContaining(`or correct the host and the port in ${place}.`),
    });
});
