import { createMemoryMailer } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { loadConfig } from "../program/settings/config.ts";
import { formerSecretKeys, serviceOptions } from "./service-options.ts";

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

test("former secret keys are separated by spaces or lines, and one with spaces in it has a line of its own", () => {
  const [first, second] = ["a".repeat(32), "b".repeat(40)];
  const phrase = "correct horse battery staple, and more";
  const keys = (former_secret_keys?: string) => formerSecretKeys({ former_secret_keys });
  expect(keys()).toEqual([]);
  expect(keys(` ${first}  ${second}\n`)).toEqual([first, second]);
  expect(keys(`${first} ${second}\r\n${phrase}\n`)).toEqual([first, second, phrase]);
});
