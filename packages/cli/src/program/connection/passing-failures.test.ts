import { ApiError } from "@posthorn/client";
import { StorageUnavailable } from "@posthorn/core";
import { expect, test } from "vitest";
import { askThroughFailures } from "./passing-failures.ts";

const away = new ApiError("The server can't be reached.", { status: 0, code: "unreachable" });
const open = () => {
  const told: string[] = [];
  const ending = new AbortController();
  return { told, ending, following: { signal: ending.signal, tell: (text: string) => void told.push(text) } };
};

test.each([
  [away, "The server can't be reached. Waiting for the server; nothing is lost."],
  [
    new StorageUnavailable("it restarts"),
    "The database is unavailable: it restarts. Waiting for it; nothing is lost.",
  ],
])("asks again after %o, and tells of the wait once", async (failure, told) => {
  const world = open();
  const failures: Error[] = [failure, failure];
  const ask = async (): Promise<string> => {
    const [next] = failures.splice(0, 1);
    if (next !== undefined) throw next;
    return "answer";
  };
  expect(await askThroughFailures(ask, world.following)).toBe("answer");
  expect(world.told).toEqual([told]);
});

test("reports a refusal at once, and stops waiting on a signal", async () => {
  const refused = new ApiError("There is no such e-mail.", { status: 404, code: "not_found" });
  const { following, ending, told } = open();
  await expect(askThroughFailures(() => Promise.reject(refused), following)).rejects.toBe(refused);
  expect(told).toEqual([]);
  const waiting = askThroughFailures(() => Promise.reject(away), {
    signal: ending.signal,
    tell: () => ending.abort(),
  });
  await expect(waiting).rejects.toThrow();
});
