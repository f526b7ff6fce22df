import { expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openHouse } from "./harness.ts";

test("an e-mail is shown with its openings and clicks, those of persons apart", async () => {
  const house = await openHouse(() => openTestSqlite());
  const as = await house.makeKey();
  const body = { subject: "S", text: "T", to: ["ada@example.com"] };
  const id = String((await house.call("POST /emails/send", { as, body })).body.data?.["id"]);
  const read = async () =>
    (await house.call(`GET /workspaces/current/emails/${id}`, { as: house.owner })).body.data;
  const none = { opens: null, clicks: null };
  expect(await read()).toMatchObject({
    ...none,
    recipients: [{ opened_at: null, clicked_at: null, ...none }],
  });

  const { storage, clock } = house.world;
  const row = (await storage.reports.findEmail({ id }))?.row ?? 0;
  const first = clock.now() + 5_000;
  const hits = { row, position: 0, kind: "open", address: "192.0.2.0/24", agent: undefined } as const;
  await storage.tracking.add(
    [
      {
        ...{ ...hits, count: 3, humanCount: 2, firstAt: first - 1_000, firstHumanAt: first },
        ...{ agentClass: "image_proxy", machineReason: "too_soon" },
      },
    ],
    86_400_000,
    1,
  );
  const at = new Date(first).toISOString();
  const opens = {
    count: 3,
    human_count: 2,
    first_at: new Date(first - 1_000).toISOString(),
    first_human_at: at,
    agent_class: "image_proxy",
  };
  const details = await read();
  expect(details).toMatchObject({
    opens,
    clicks: null,
    recipients: [{ opened_at: at, clicked_at: null, opens, clicks: null }],
  });
  expect(details?.["timeline"]).toContainEqual(
    expect.objectContaining({
      ...{ at, type: "opened", recipient: "ada@example.com" },
      details: expect.objectContaining({ count: 3, human_count: 2, machine_reason: "too_soon" }),
    }),
  );
  await house.close();
});
