import { hash as argon2Hash } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { createPasswordHasher, TooBusy } from "./password-hasher.ts";

const hasher = createPasswordHasher();

describe("createPasswordHasher", () => {
  test("makes Argon2id hashes with a salt each, and verifies them", async () => {
    const [one, two] = await Promise.all([hasher.hash("correct horse"), hasher.hash("correct horse")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify(one, "correct horse")).toBe(true);
    expect(await hasher.verify(one, "correct horsf")).toBe(false);
  });

  test("every Unicode form of the same characters is the same password", async () => {
    expect(await hasher.verify(await hasher.hash("Zu\u0308rich \ufb01ne"), "Z\u00fcrich fine")).toBe(true);
  });

  test("a missing hash and a damaged one match no password", async () => {
    for (const hash of [
      undefined,
      "",
      "plain",
      "$argon2id$v=19$m=19456,t=2,p=1$x$y",
      "$2b$10$abcdefghijklmnopqrstuv",
    ]) {
      expect(await hasher.verify(hash, "")).toBe(false);
    }
  });

  test("without a hash, or with a damaged one, computes one all the same, so that unknown accounts take as long", async () => {
    // Parameters that Argon2 refuses show that it was asked.
    const impossible = createPasswordHasher({ cost: { memoryCost: 0, timeCost: 0 } });
    for (const hash of [undefined, "plain"]) await expect(impossible.verify(hash, "x")).rejects.toThrow();
  });

  test("requests a new hash if the parameters are outdated", async () => {
    expect(hasher.needsRehash(await hasher.hash("x"))).toBe(false);
    expect(hasher.needsRehash(await argon2Hash("x", { memoryCost: 8_192 }))).toBe(true);
    expect(hasher.needsRehash("")).toBe(true);
  });

  test("replaces an outdated hash by one of the current parameters, always the same", async () => {
    const outdated = await argon2Hash("x", { memoryCost: 8_192 });
    const [one, two] = await Promise.all([hasher.rehash(outdated, "x"), hasher.rehash(outdated, "x")]);
    expect(one).toBe(two);
    expect(hasher.needsRehash(one)).toBe(false);
    expect(await hasher.verify(one, "x")).toBe(true);
    const longSalted = await argon2Hash("x", { memoryCost: 8_192, salt: Buffer.alloc(24, 1) });
    for (const other of ["", longSalted])
      expect(hasher.needsRehash(await hasher.rehash(other, "x"))).toBe(false);
  });

  test("says how to install the native module where its binary is missing", async () => {
    const cause = new Error("Cannot find native binding");
    const broken = createPasswordHasher({ load: () => Promise.reject(cause) });
    for (const refused of [broken.hash("x"), broken.verify(undefined, "x"), broken.verify("plain", "x")])
      await expect(refused).rejects.toMatchObject({
        message: expect.stringContaining("without --omit=optional"),
        cause,
      });
  });

  test("refuses at once what exceeds the queue, and recovers", async () => {
    const small = createPasswordHasher({ concurrency: 1, queue: 2 });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => small.verify(undefined, "x")));
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
    ]);
    for (const result of results.slice(3)) expect(result).toMatchObject({ reason: expect.any(TooBusy) });
    expect(await small.verify(await small.hash("x"), "x")).toBe(true);
  });

  test("a flood of new passwords delays a login by its turn only", async () => {
    const small = createPasswordHasher({ concurrency: 1, queue: 4 });
    const done: string[] = [];
    const flood = Array.from({ length: 9 }, () =>
      small.hash("x").then(
        () => done.push("new"),
        () => done.push("refused"),
      ),
    );
    await Promise.all([small.verify(undefined, "x").then(() => done.push("login")), ...flood]);
    expect(done.filter((one) => one === "refused")).toHaveLength(4);
    // The new hash that was running when the login arrived may end first.
    expect(done.filter((one) => one !== "refused").indexOf("login")).toBeLessThanOrEqual(1);
  });
});
