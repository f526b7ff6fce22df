import { expect, test } from "vitest";
import { loadConfig } from "../../program/settings/config.ts";
import { deliversInThread } from "./delivers-in-thread.ts";

const delivers = (env: Record<string, string>, cores: number): boolean =>
  deliversInThread(
    loadConfig(
      {},
      { SERVICE_SMTP_URL: "smtp://127.0.0.1:2525", SERVICE_SECRET_KEY: "k".repeat(32), ...env },
      {},
    ).values,
    cores,
  );

const postgres = { SERVICE_DATABASE_URL: "postgres://127.0.0.1/posthorn" };

test("delivers in a thread if there is a core for it: a local PostgreSQL takes one itself", () => {
  expect(delivers({}, 1)).toBe(false);
  expect(delivers({}, 2)).toBe(true);
  expect(delivers(postgres, 2)).toBe(false);
  expect(delivers(postgres, 3)).toBe(true);
});

test("the setting overrides the number of cores", () => {
  expect(delivers({ SERVICE_WORKER_THREAD: "false" }, 8)).toBe(false);
  expect(delivers({ ...postgres, SERVICE_WORKER_THREAD: "true" }, 1)).toBe(true);
});

test("captured e-mails and a database in memory are handled in the main thread", () => {
  expect(delivers({ SERVICE_SMTP_URL: "capture:", SERVICE_WORKER_THREAD: "true" }, 8)).toBe(false);
  expect(delivers({ SERVICE_DATABASE_URL: "sqlite::memory:", SERVICE_WORKER_THREAD: "true" }, 8)).toBe(false);
});
