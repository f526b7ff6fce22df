import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProfiles, serverUrl } from "./profiles.ts";

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-profiles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "posthorn", "profiles.json");
}

test("stores profiles readable by their owner only, and refuses a file that others can read", () => {
  const profiles = openProfiles(makeFile());
  expect(profiles.all()).toEqual({});
  profiles.set("prod", { url: "https://mail.example.com", api_key: "sk_a" });
  profiles.set("test", { url: "http://127.0.0.1:8080" });
  expect(statSync(profiles.file).mode & 0o777).toBe(0o600);
  expect(profiles.get("prod")).toEqual({ url: "https://mail.example.com", api_key: "sk_a" });
  profiles.remove("prod");
  expect(() => profiles.get("prod")).toThrow('There is no profile "prod".');
  chmodSync(profiles.file, 0o644);
  expect(() => profiles.get("test")).toThrow("may be read by others");
});

test.each(["__proto__", "constructor", "toString"])("%s is no profile unless one was stored", (name) => {
  expect(() => openProfiles(makeFile()).get(name)).toThrow("There is no profile");
});

test("refuses to send a key in cleartext, except to this machine", () => {
  expect(serverUrl("https://mail.example.com/")).toBe("https://mail.example.com");
  expect(serverUrl("https://example.com/mail/api/v1")).toBe("https://example.com/mail");
  expect(serverUrl("http://127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
  for (const bad of [
    "http://mail.example.com",
    "mail.example.com",
    "https://a:b@mail.example.com",
    "ftp://localhost",
  ])
    expect(() => serverUrl(bad), bad).toThrow("--url must");
});
