import { expect, onTestFinished, test } from "vitest";
import { ownTestServer } from "../../storage-postgres/test/open-test-storage.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { openService } from "../src/service/open-service.ts";
import { makeFolder, startCommand } from "./run-command.ts";

test("a followed tail survives a crash of PostgreSQL without a gap or repetition", async () => {
  const server = await ownTestServer();
  const env = {
    SERVICE_DATABASE_URL: server.connectionString,
    SERVICE_SECRET_KEY: "a secret key that only tests use, 0123456789",
  };
  const { posthorn, close } = await openService(loadConfig({}, env).values, { database: "make" });
  onTestFinished(close);
  await posthorn.plans.create({ name: "before" });

  const tail = startCommand(["events", "tail", "--follow", "--since-id", "0"], { cwd: makeFolder(), env });
  onTestFinished(() => void tail.child.kill("SIGKILL"));
  let text = "";
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (chunk = ""): void => {
        text += chunk;
        if (pattern.test(text)) resolve();
      };
      tail.child.stdout?.on("data", look);
      look();
      void tail.ended.then(({ stderr }) => reject(new Error(stderr)));
    });
  await until(/before/);
  await server.restart();
  // Refused until the database is back.
  await expect.poll(() => posthorn.plans.create({ name: "after" })).toMatchObject({ name: "after" });
  await until(/after/);
  tail.child.kill("SIGINT");
  const { code, stdout, stderr } = await tail.ended;
  const names = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(JSON.parse(line).metadata).name);
  expect(names).toEqual(["before", "after"]);
  expect(code).toBe(130);
  // A quick restart may fall between two reads of the log, and then nothing is reported.
  expect(stderr).toMatch(/^(.*unavailable.*nothing is lost\.\n.*is back\. Continuing after event \d+\.\n)*$/);
});
