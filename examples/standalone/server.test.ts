import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient } from "@posthorn/client";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { startServer } from "./server.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "posthorn-standalone-"));
  undo.push(() => rm(directory, { recursive: true }));
  return directory;
}

/** Starts a mail server on loopback; resolves with the first mail that it accepts. */
async function startMailServer(): Promise<{ smtpUrl: string; firstMail: Promise<Email> }> {
  const first = Promise.withResolvers<Email>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      stream.toArray().then(async (chunks: Buffer[]) => {
        first.resolve(await PostalMime.parse(Buffer.concat(chunks)));
        done();
      }, done);
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  undo.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { smtpUrl: `smtp://127.0.0.1:${port}`, firstMail: first.promise };
}

test("an e-mail requested over HTTP arrives at the mail server", async () => {
  const { smtpUrl, firstMail } = await startMailServer();
  const { url, posthorn, stop } = await startServer({
    filename: join(await makeDirectory(), "shop.db"),
    smtpUrl,
    secretKey: "a secret key that only this test ever uses",
    port: 0,
  });
  undo.push(stop);
  // Links in e-mails lead to the port that was named.
  expect(posthorn.config.baseUrl).toBe("http://127.0.0.1:0");
  const { apiKey } = await prepareWorkspace(posthorn);
  const email = await createClient(url, { apiKey }).request("POST /emails/send-template", {
    template: "welcome",
    to: ["ada@example.com"],
    template_data: { name: "Ada" },
  });
  expect(email).toMatchObject({ status: "queued", subject: "Welcome, Ada!" });
  expect(await firstMail).toMatchObject({
    from: { name: "Shop", address: "hello@shop.example" },
    subject: "Welcome, Ada!",
    html: expect.stringContaining("Welcome, Ada!"),
  });
});

test("runs as a program, and exits on SIGTERM", async () => {
  const compiled = process.env["NODE_COMPILE_CACHE"];
  const program = spawn(
    process.execPath,
    ["--conditions=posthorn-source", fileURLToPath(new URL("server.ts", import.meta.url))],
    {
      cwd: await makeDirectory(),
      env: {
        SECRET_KEY: "a secret key that only this test ever uses",
        PORT: "0",
        ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(program, "exit");
  const [line] = await once(createInterface(program.stdout), "line");
  const url = String(line).replace("Listening on ", "");
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
  program.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
