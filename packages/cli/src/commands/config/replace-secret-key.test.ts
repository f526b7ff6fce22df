import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { loadConfig } from "../../program/settings/config.ts";
import { openService } from "../../service/open-service.ts";
import { createOutput } from "../../terminal/output.ts";
import { replaceSecretKey } from "./replace-secret-key.ts";

test("a process that starts while the question stands is noticed, and the key stays as it was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const databaseUrl = `sqlite:${join(folder, "mail.db")}`;
  const { values } = loadConfig({ databaseUrl }, {}, {});
  await (await openService(values, { database: "make" })).close();
  const key = readFileSync(join(folder, "mail.secret"), "utf8").trim();
  const next = loadConfig({ databaseUrl }, { SERVICE_SECRET_KEY: `${key}, replaced` }, {});
  let started: Awaited<ReturnType<typeof openService>> | undefined;
  const context: Pick<CommandContext, "output" | "ownDatabase" | "confirm"> = {
    output: createOutput({ json: true }),
    ownDatabase: () => next.values,
    async confirm() {
      started = await openService(values);
    },
  };
  await expect(replaceSecretKey(context, {})).rejects.toThrow("mail.db is in use");
  await started?.close();
  await (await openService(values)).close();
});
