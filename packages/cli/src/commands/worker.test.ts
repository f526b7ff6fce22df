import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandContext } from "../program/connection/command-context.ts";
import { loadConfig } from "../program/settings/config.ts";
import { register } from "./worker.ts";

// A stop that takes too long would end this process.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs the command until its end, with a service whose stop abandons that many deliveries. */
const runWith = async (abandoned: number): Promise<void> => {
  const posthorn = { start: vi.fn(), stop: async () => abandoned };
  const context: Partial<CommandContext> = {
    config: () => loadConfig({ databaseUrl: "sqlite::memory:" }, { SERVICE_LOG_LEVEL: "error" }, {}),
    output: { note() {}, warn() {} } as unknown as CommandContext["output"],
    open: async () => ({ posthorn }) as unknown as Awaited<ReturnType<CommandContext["open"]>>,
    signal: AbortSignal.abort(),
  };
  const command = new Command("worker");
  const act = (action: (context: CommandContext, options: object) => Promise<void>) => () =>
    action(context as CommandContext, {});
  register(command, act as unknown as Parameters<typeof register>[1]);
  await command.parseAsync([], { from: "user" });
};

test("ends with a failure if the results of deliveries could not be stored", async () => {
  await expect(runWith(0)).resolves.toBeUndefined();
  await expect(runWith(2)).rejects.toMatchObject({
    failure: "failed",
    message: expect.stringContaining("the results of 2 deliveries were stored"),
  });
});
