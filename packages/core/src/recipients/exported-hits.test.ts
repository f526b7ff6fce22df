import { expect, test } from "vitest";
import { host, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import type { NewHits } from "../ports/storage.ts";

openWorldForEach();

const day = 86_400_000;
const own = { address: "192.0.2.0/24", agent: "Ada's reader" };

async function hitsInExport(email: string): Promise<unknown> {
  const { content } = await world.posthorn.recipients.export({ email }, workspace.asOwner);
  let text = "";
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  const lines = text.trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ type }) => type === "email")?.["hits"];
}

test("an export has the person's opens and clicks, and nothing of those who got the same e-mail", async () => {
  const to = ["ada@example.com", "bob@example.com"];
  const { id } = await world.posthorn.emails.send({ subject: "Hi", text: "x", to }, host());
  const row = (await world.storage.reports.findEmail({ id }))?.row ?? 0;
  const at = Date.UTC(2030, 0, 1);
  const hits: NewHits = {
    ...{ row, position: 0, kind: "open", count: 2, humanCount: 1, firstAt: at, firstHumanAt: at + 1_000 },
    ...{ agentClass: "mail_program", machineReason: "too_soon", ...own },
  };
  const others = { address: "198.51.100.0/24", agent: "Bob's reader" };
  await world.storage.tracking.add(
    [
      hits,
      { ...hits, position: 1, ...others },
      { ...hits, position: undefined, kind: "click", count: 7, ...others },
    ],
    day,
    1,
  );
  const times = { first_at: "2030-01-01T00:00:00.000Z", first_human_at: "2030-01-01T00:00:01.000Z" };
  expect(await hitsInExport("ada@example.com")).toEqual([
    {
      ...{ kind: "open", count: 2, human_count: 1, ...times },
      ...{ agent_class: "mail_program", machine_reason: "too_soon" },
      ...{ address: own.address, user_agent: own.agent },
    },
  ]);
});

test("an e-mail that nobody has opened is exported without hits", async () => {
  await world.posthorn.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] }, host());
  expect(await hitsInExport("ada@example.com")).toEqual([]);
});
