import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "./config.ts";
import { type Setting, secretFileOf } from "./setting.ts";
import { settings } from "./settings.ts";
import { findUnknownSettings } from "./unknown-settings.ts";

function file(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "secret");
  writeFileSync(path, content);
  return path;
}

test("every secret setting, and no other, can be in a file", () => {
  const named = Object.values<Pick<Setting<unknown>, "env">>(settings).flatMap(
    (one) => secretFileOf(one) ?? [],
  );
  expect(named).toEqual([
    "SERVICE_DATABASE_URL_FILE",
    "SERVICE_DATABASE_LISTEN_URL_FILE",
    "SERVICE_SECRET_KEY_FILE",
    "SERVICE_FORMER_SECRET_KEYS_FILE",
    "SERVICE_SMTP_URL_FILE",
    "SERVICE_METRICS_TOKEN_FILE",
  ]);
  expect(
    findUnknownSettings(loadConfig({}, {}, {}), { SERVICE_SECRET_KEY_FILE: "/x", SERVICE_HOST_FILE: "/x" }),
  ).toEqual([
    expect.objectContaining({ fault: "SERVICE_HOST_FILE in the environment is no setting, and is ignored" }),
  ]);
});

test("a secret is read from its file without line breaks at the end, from the environment and its file", () => {
  const variables = { SERVICE_SECRET_KEY_FILE: file("a b\n"), SERVICE_SMTP_URL: "smtp://h" };
  const settingsFile = file(`SERVICE_SMTP_URL_FILE=${file("smtp://ann:pass@mail.example\r\n")}`);
  const { values, origins } = loadConfig({ environmentFile: settingsFile }, variables, {});
  expect(values).toMatchObject({ secret_key: "a b", smtp_url: "smtp://ann:pass@mail.example" });
  expect(origins).toMatchObject({ secret_key: "secret_file", smtp_url: "secret_file", port: "default" });
});

test("a flag, and the environment file's value, take precedence over a secret's file in the environment", () => {
  const variables = { SERVICE_DATABASE_URL_FILE: "/nowhere", SERVICE_SECRET_KEY_FILE: "/nowhere" };
  const flags = { databaseUrl: "sqlite:a.db", environmentFile: file("SERVICE_SECRET_KEY=kept") };
  expect(loadConfig(flags, variables, {}).values).toMatchObject({
    database_url: "sqlite:a.db",
    secret_key: "kept",
  });
});

test("both the value and its file are refused, and an empty one is as good as unset", () => {
  const path = file("from the file");
  expect(() => loadConfig({}, { SERVICE_SECRET_KEY: "a", SERVICE_SECRET_KEY_FILE: path }, {})).toThrow(
    "Both SERVICE_SECRET_KEY and SERVICE_SECRET_KEY_FILE are set.",
  );
  const both = file(`SERVICE_SECRET_KEY=a\nSERVICE_SECRET_KEY_FILE=${path}`);
  expect(() => loadConfig({ environmentFile: both }, {}, {})).toThrow(`_FILE are set in ${both}.`);
  const values = [
    { SERVICE_SECRET_KEY: "", SERVICE_SECRET_KEY_FILE: path },
    { SERVICE_SECRET_KEY: "from the value", SERVICE_SECRET_KEY_FILE: "" },
  ].map((variables) => loadConfig({}, variables, {}).values.secret_key);
  expect(values).toEqual(["from the file", "from the value"]);
});

test.each([
  ["is not there", () => "/nowhere/key", "/nowhere/key can't be read: there is no such file."],
  ["is a folder", tmpdir, "can't be read: it is a folder."],
  ["is empty", () => file("\n"), "secret is empty."],
  ["is random bytes", () => file(Buffer.from([0xff, 0x00, 0xfe])), "secret is not UTF-8 text."],
])("a secret's file that %s is refused with its name", (_, path, fault) => {
  const read = () => loadConfig({}, { SERVICE_SECRET_KEY_FILE: path() }, {});
  expect(read).toThrow(/^SERVICE_SECRET_KEY_FILE: /);
  expect(read).toThrow(fault);
});

test("a bad value in a secret's file is told with the file, and not repeated", () => {
  const path = file("http://opensesame");
  const read = () => loadConfig({}, { SERVICE_SMTP_URL_FILE: path }, {});
  expect(read).toThrow(`SERVICE_SMTP_URL in ${path} must`);
  expect(read).not.toThrow("opensesame");
});
