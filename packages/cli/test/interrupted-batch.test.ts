import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Api } from "../src/program/connection/api.ts";
import { connectDirectly } from "../src/program/connection/connect-directly.ts";
import { makeFolder } from "./run-command.ts";
import { openVerbWorld } from "./verb-world.ts";

test("Ctrl-C ends the sending of a long file behind the batch under way, and says where; its key continues", async () => {
  let interrupt = (): void => {};
  const interrupted = (api: Api): Api => ({
    ...api,
    on: (id) => interrupted(api.on(id)),
    async request(signature, ...rest) {
      const answer = await api.request(signature, ...rest);
      if (signature === "POST /emails/batch") interrupt();
      return answer;
    },
  });
  const { run, world, told, end, shop } = await openVerbWorld(async ({ posthorn }) =>
    interrupted(connectDirectly(posthorn)),
  );
  interrupt = end;
  const path = join(makeFolder(), "people.csv");
  writeFileSync(path, ["email", "a@x.example", "b@x.example", "c@x.example", ""].join("\n"));
  const command = ["batches", "send", path, "--subject", "Hi", "--text", "Hi", "--size", "2"];
  await expect(run(...command, "--idempotency-key", "k")).rejects.toMatchObject({
    failure: "interrupted",
    message: "The sending stopped before line 4.",
    hint: expect.stringContaining("The same command continues"),
  });
  expect(told).toEqual([expect.stringMatching(/^the first 2 were accepted before this: batch [\w-]{36}$/)]);
  const { total } = await world.posthorn.emails.list({}, { workspaceId: shop.id });
  expect(total).toBe(2);
});
