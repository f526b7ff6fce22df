import { createMemoryMailer } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { loadConfig } from "../program/settings/config.ts";
import { serviceOptions } from "./service-options.ts";

test("links lead to where the server listens, also those of a worker or a command beside it", async () => {
  const storage = await openTestSqlite();
  const parts = { storage, mailer: createMemoryMailer(), secretKey: "" };
  const baseUrl = (env: Record<string, string>) =>
    serviceOptions(loadConfig({}, env, {}).values, parts).baseUrl;
  expect([
    baseUrl({}),
    baseUrl({ SERVICE_PORT: "9000" }),
    baseUrl({ SERVICE_PORT: "9000", SERVICE_HOST: "::" }),
    baseUrl({ SERVICE_PORT: "9000", SERVICE_BASE_URL: "https://mail.example" }),
    baseUrl({ SERVICE_PORT: "0" }),
  ]).toEqual([
    "http://127.0.0.1:8080",
    "http://127.0.0.1:9000",
    "http://[::1]:9000",
    "https://mail.example",
    undefined,
  ]);
});
