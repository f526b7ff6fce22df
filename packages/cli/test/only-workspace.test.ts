import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCommandContext } from "../src/program/connection/command-context.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { openService } from "../src/service/open-service.ts";
import { makeFolder } from "./run-command.ts";

test("commands create SERVICE_SINGLE_WORKSPACE before any start, and find it under its former name", async () => {
  const databaseUrl = `sqlite:${join(makeFolder(), "posthorn.db")}`;
  const before = await openService(loadConfig({ databaseUrl }, {}).values, { database: "make" });
  await before.posthorn.workspaces.ensure({ externalId: "tenant-7", name: "Boutique" });
  await before.close();

  const find = async (name: string) => {
    vi.stubEnv("SERVICE_SINGLE_WORKSPACE", name);
    const options = { json: true, debug: false, databaseUrl };
    const { context, close } = createCommandContext(options, new AbortController().signal);
    onTestFinished(close);
    const { workspace } = await context.inWorkspace(undefined);
    return [workspace, await context.workspace(undefined)];
  };
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const shop = { id: 2, name: "Shop" };
  expect(await find("Shop")).toMatchObject([shop, shop]);
  // Renamed at the next start; another workspace has the name.
  expect(await find("Boutique")).toMatchObject([shop, shop]);
});
