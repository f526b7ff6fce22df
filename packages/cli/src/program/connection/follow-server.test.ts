import { ApiError } from "@posthorn/client";
import { expect, test } from "vitest";
import type { FollowedEvent } from "./api.ts";
import { followServer } from "./follow-server.ts";

const event = (id: number) => ({ id }) as FollowedEvent;
const away = () => new ApiError("The server can't be reached.", { status: 0, code: "unreachable" });

/** A server with scripted responses that records from which event it is asked. */
function scripted(...answers: (FollowedEvent | Error)[][]) {
  const asked: unknown[] = [];
  return {
    asked,
    client: {
      async *follow(fields: object = {}) {
        asked.push(fields);
        for (const one of answers[asked.length - 1] ?? []) {
          if (one instanceof Error) throw one;
          yield one;
        }
      },
    },
  };
}

test("reports a restart of the server once, waits for it, and leaves no gap", async () => {
  const { client, asked } = scripted([event(5), event(6), away()], [away()], [event(9)]);
  const told: string[] = [];
  const { signal } = new AbortController();
  const ids: number[] = [];
  const following = { after: 4, waits: true, signal, tell: (text: string) => void told.push(text) };
  for await (const { id } of followServer(client, { ...following, category: "audit" })) ids.push(id);
  expect(ids).toEqual([5, 6, 9]);
  expect(asked).toEqual([4, 6, 6].map((last_event_id) => ({ category: "audit", last_event_id, wait: true })));
  expect(told).toEqual([
    "The server can't be reached. Waiting for the server; nothing is lost.",
    "The server is back. Continuing after event 6.",
  ]);
});

test("reports a refusal at once, and stops waiting on a signal", async () => {
  const refused = new ApiError("Only administrators may do this.", { status: 403, code: "forbidden" });
  const ending = new AbortController();
  const following = { after: 0, waits: true, signal: ending.signal, tell: () => ending.abort() };
  const first = (client: ReturnType<typeof scripted>["client"]) => followServer(client, following).next();
  await expect(first(scripted([refused]).client)).rejects.toThrow("Only administrators");
  expect(await first(scripted([away()]).client)).toEqual({ done: true, value: undefined });
});
