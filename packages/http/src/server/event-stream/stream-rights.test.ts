import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createStreamRights } from "./stream-rights.ts";

let now: number;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** Rights whose logins can be taken away, and the number of times that they were asked for. */
function logins() {
  const rights = createStreamRights();
  const gone = new Set<string>();
  const asked: string[] = [];
  return {
    gone,
    asked,
    open: (login: string, key: string | undefined = login) =>
      rights.watch(key, async () => {
        asked.push(login);
        if (gone.has(login)) throw new Error("gone");
      }),
  };
}

describe("rights of event streams", () => {
  test("streams with one login ask once for what one look found, and later looks ask anew", async () => {
    const { open, asked, gone } = logins();
    const streams = [open("ann"), open("ann"), open("ben")];
    const all = (upTo: number) => Promise.all(streams.map(({ check }) => check(upTo)));
    expect(await all(10)).toEqual([true, true, true]);
    expect(asked).toEqual(["ann", "ben"]);
    gone.add("ann");
    // What was looked at before the last check can't be later than the loss of the right.
    expect(await streams[0]?.check(9)).toBe(true);
    expect(await all(11)).toEqual([false, false, true]);
    expect(asked).toEqual(["ann", "ben", "ann", "ben"]);
    expect(streams[1]?.isLeft()).toBe(false);
  });

  test("without a login of the service each stream asks for itself", async () => {
    const { open, asked } = logins();
    const streams = [open("ann", undefined), open("ben", undefined)];
    await Promise.all(streams.map(({ check }) => check(10)));
    expect(asked).toEqual(["ann", "ben"]);
  });

  test("a slow reader's right is asked for again after a second", async () => {
    const { open, asked, gone } = logins();
    const right = open("ann");
    gone.add("ann");
    now = 999;
    expect(await right.checkAgain()).toBe(true);
    expect(asked).toEqual([]);
    now = 1_000;
    expect(await right.checkAgain()).toBe(false);
  });

  test("a refusal holds for the stream that it was told, and for no other after a later check", async () => {
    const { open, gone } = logins();
    const [fast, slow] = [open("ann"), open("ann")];
    gone.add("ann");
    expect(await fast.check(10)).toBe(false);
    gone.delete("ann");
    now = 1_000;
    expect(await slow.checkAgain()).toBe(true);
    expect(fast.isLeft()).toBe(false);
    expect(await open("ann").check(10)).toBe(true);
  });

  test("what was known of a login is forgotten with its last stream", async () => {
    const { open, gone } = logins();
    gone.add("ann");
    const [first, second] = [open("ann"), open("ann")];
    expect(await first.check(10)).toBe(false);
    first.leave();
    expect(await second.checkAgain()).toBe(false);
    second.leave();
    gone.delete("ann");
    const third = open("ann");
    expect(third.isLeft()).toBe(true);
    expect(await third.check(1)).toBe(true);
  });
});
