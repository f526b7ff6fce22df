import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type MockInstance, onTestFinished, test, vi } from "vitest";
import { findOrMakeSecretKey } from "./secret-key.ts";

const newKey = () => {
  const folder = fs.mkdtempSync(join(tmpdir(), "posthorn-key-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return { folder, values: { secret_key: undefined, database_url: `sqlite:${join(folder, "mail.db")}` } };
};

/** Watches a function of node:fs, whoever imported it, until the test ends. */
function watch<Spy extends MockInstance>(spy: Spy): Spy {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

test("a new key is on the disk before anything is encrypted with it, and only its owner reads it", () => {
  const { folder, values } = newKey();
  const spy = watch(vi.spyOn(fs, "writeFileSync"));
  const key = findOrMakeSecretKey(values);
  expect(fs.readFileSync(join(folder, "mail.secret"), "utf8")).toBe(`${key}\n`);
  expect(spy.mock.lastCall?.[2]).toEqual({ mode: 0o600, flag: "wx", flush: true });
  expect(findOrMakeSecretKey(values)).toBe(key);
});

test("a disk that is full leaves no empty key, which the next start would take for a wrong one", () => {
  const { folder, values } = newKey();
  const real = fs.writeFileSync;
  const spy = watch(vi.spyOn(fs, "writeFileSync"));
  spy.mockImplementationOnce((path) => {
    real(path, "");
    throw new Error("no space left on device");
  });
  expect(() => findOrMakeSecretKey(values)).toThrow("mail.secret: no space left on device.");
  expect(fs.readdirSync(folder)).toEqual([]);
  expect(findOrMakeSecretKey(values)).toHaveLength(64);
});

test("of two processes that make a key at the same moment, both take the first", () => {
  const { folder, values } = newKey();
  const real = fs.writeFileSync;
  const spy = watch(vi.spyOn(fs, "writeFileSync"));
  spy.mockImplementationOnce((path, content) => {
    real(join(folder, "mail.secret"), "the other's\n");
    real(path, content);
  });
  expect(findOrMakeSecretKey(values)).toBe("the other's");
  expect(fs.readdirSync(folder)).toEqual(["mail.secret"]);
});

test("a file system without links keeps the key as well", () => {
  const { folder, values } = newKey();
  watch(vi.spyOn(fs, "linkSync")).mockImplementationOnce(() => {
    throw new Error("operation not permitted");
  });
  const key = findOrMakeSecretKey(values);
  expect(fs.readdirSync(folder)).toEqual(["mail.secret"]);
  expect(fs.readFileSync(join(folder, "mail.secret"), "utf8")).toBe(`${key}\n`);
  expect(fs.statSync(join(folder, "mail.secret")).mode & 0o777).toBe(0o600);
});
