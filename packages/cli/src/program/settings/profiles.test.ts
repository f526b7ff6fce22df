import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openProfiles, profilesFile, serverUrl } from "./profiles.ts";

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-profiles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "posthorn", "profiles.json");
}

test("stores profiles readable by their owner only, and refuses a file that others can read", async () => {
  const profiles = openProfiles(makeFile());
  expect(profiles.all()).toEqual({});
  await profiles.change("prod", () => ({ url: "https://mail.example.com", api_key: "sk_a" }));
  await profiles.change("test", () => ({ url: "http://127.0.0.1:8080" }));
  expect(statSync(profiles.file).mode & 0o777).toBe(0o600);
  expect(profiles.get("prod")).toEqual({ url: "https://mail.example.com", api_key: "sk_a" });
  await profiles.remove("prod");
  await expect(profiles.remove("prod")).rejects.toThrow('There is no profile "prod".');
  expect(() => profiles.get("prod")).toThrow('There is no profile "prod".');
  chmodSync(profiles.file, 0o644);
  expect(() => profiles.get("test")).toThrow("may be read by others");
});

test("a user without a home folder, such as a container's, is told what to set", () => {
  const home = () => {
    throw new Error("A system error occurred: uv_os_homedir returned ENOENT");
  };
  expect(() => profilesFile({}, home)).toThrow("this user has none, nor is HOME set");
  const own = profilesFile({ XDG_CONFIG_HOME: "/etc/own" }, home);
  expect(own).toBe(join("/etc/own", "posthorn", "profiles.json"));
});

test("a folder in the file's place is told as such", () => {
  const profiles = openProfiles(makeFile());
  mkdirSync(profiles.file, { recursive: true, mode: 0o755 });
  expect(() => profiles.all()).toThrow("it is a folder");
});

test("changes go through a symbolic link, which remains", async () => {
  const profiles = openProfiles(makeFile());
  const folder = dirname(dirname(profiles.file));
  mkdirSync(dirname(profiles.file));
  mkdirSync(join(folder, "dotfiles"));
  symlinkSync("../dotfiles/mail.json", profiles.file);
  await profiles.change("one", () => ({ url: "https://one.example.com" }));
  await profiles.change("two", () => ({ url: "https://two.example.com" }));
  expect(lstatSync(profiles.file).isSymbolicLink()).toBe(true);
  expect(Object.keys(openProfiles(join(folder, "dotfiles", "mail.json")).all())).toEqual(["one", "two"]);
  expect(readdirSync(dirname(profiles.file))).toEqual(["profiles.json"]);
});

test("a change waits for that of another command, and keeps it", async () => {
  const profiles = openProfiles(makeFile());
  await profiles.change("one", () => ({ url: "https://one.example.com" }));
  const lock = `${profiles.file}.lock`;
  writeFileSync(lock, "", { mode: 0o600, flag: "wx" });
  const two = profiles.change("two", () => ({ url: "https://two.example.com" }));
  writeFileSync(lock, JSON.stringify({ ...profiles.all(), three: { url: "https://three.example.com" } }));
  renameSync(lock, profiles.file);
  await two;
  expect(Object.keys(profiles.all())).toEqual(["one", "three", "two"]);
  expect(existsSync(lock)).toBe(false);
});

test("says which file to remove where a command was ended midway", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const profiles = openProfiles(makeFile());
  mkdirSync(dirname(profiles.file));
  writeFileSync(`${profiles.file}.lock`, "");
  const change = profiles.change("two", () => ({ url: "https://two.example.com" }));
  vi.advanceTimersByTime(6_000);
  await expect(change).rejects.toThrow(`there is ${profiles.file}.lock`);
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
    "https:mail.example.com",
  ])
    expect(() => serverUrl(bad), bad).toThrow("--url must");
  expect(() => serverUrl("https://mail.example.com:70000")).toThrow("--url has an invalid port");
  expect(() => serverUrl("https://")).toThrow("--url names no host.");
});

test("reads a file that begins with a byte order mark, and names one that somebody edited wrongly", async () => {
  const profiles = openProfiles(makeFile());
  const prod = { url: "https://mail.example.com", token: "t", expires_at: "2030-01-31T08:00:00.000Z" };
  await profiles.change("prod", () => prod);
  writeFileSync(profiles.file, `\ufeff${JSON.stringify({ prod })}`);
  expect(profiles.all()).toEqual({ prod });
  for (const wrong of [null, { url: "mail" }, { ...prod, token: 5 }, { ...prod, expires_at: "soon" }]) {
    writeFileSync(profiles.file, JSON.stringify({ prod: wrong }));
    expect(() => profiles.all(), JSON.stringify(wrong)).toThrow("does not contain profiles");
  }
});
