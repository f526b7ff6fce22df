import { expect, test } from "vitest";
import type { FollowedEvent } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { tail } from "./actions.ts";

const event = {
  ...{ category: "audit", type: "plan.created", workspace_id: null, actor_name: "Ada" },
  ...{ created_at: "2030-01-31T08:00:00.000Z", message: "Ada created it", metadata: "{}" },
};

test.each([
  [
    "says how to continue behind the last event, by the same filter",
    [7],
    ["--since-id 7 --category audit --type plan.created"],
  ],
  ["suggests nothing where there was no event: after 0 is the whole log", [], []],
])("a followed tail of a time %s", async (_, ids, suggested) => {
  const told: string[] = [];
  async function* follow() {
    for (const id of ids) yield { ...event, id } as FollowedEvent;
  }
  const { signal } = new AbortController();
  const output = { json: false, note: (text: string) => void told.push(text) };
  const context = { api: async () => ({ follow }), signal, output } as unknown as CommandContext;
  await tail(context, {
    ...{ follow: true, since: 1, lines: 10 },
    ...{ category: "audit", type: "plan.created" },
  });
  expect(told).toEqual(suggested.map((text) => expect.stringContaining(text)));
});
