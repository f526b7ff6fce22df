import { ApiError } from "@posthorn/client";
import { expect, test } from "vitest";
import type { Api } from "../program/connection/api.ts";
import type { CommandContext } from "../program/connection/command-context.ts";
import { waitForEmail } from "./wait-for-email.ts";

/** A server with one answer after the other, of which the last stays. */
function openScripted(...answers: unknown[]) {
  const told: string[] = [];
  const request = async () => {
    const [next] = answers.length > 1 ? answers.splice(0, 1) : answers;
    if (next instanceof Error) throw next;
    return next;
  };
  const api = { kind: "server", isKey: true, request } as Partial<Api> as Api;
  const { signal } = new AbortController();
  const output = { warn: (text: string) => void told.push(text) };
  const context = { signal, output } as unknown as CommandContext;
  return { told, wait: (seconds: number) => waitForEmail(context, api, { emailId: "e1", seconds }) };
}

test("waits for an e-mail across a restart of the server", async () => {
  const away = new ApiError("The server can't be reached.", { status: 0, code: "unreachable" });
  const { told, wait } = openScripted({ status: "queued" }, away, away, { status: "sent" });
  expect(await wait(60)).toEqual({ status: "sent" });
  expect(told).toEqual([expect.stringContaining("Waiting for the server")]);
});

test.each([
  { status: "queued" },
  new ApiError("The server can't be reached.", { status: 0, code: "unreachable" }),
])("ends with unavailable once the time is over, where the answer stays %o", async (answer) => {
  await expect(openScripted(answer).wait(1)).rejects.toMatchObject({
    failure: "unavailable",
    message: "The e-mail is accepted, but was not settled within 1 seconds.",
  });
});

test("reports a refusal at once", async () => {
  const refused = new ApiError("No.", { status: 401, code: "unauthenticated" });
  await expect(openScripted(refused).wait(60)).rejects.toBe(refused);
});
