import { expect, test } from "vitest";
import { openVerbWorld } from "./verb-world.ts";

test("the noun alone lists what has expired, and a dry run reports by table and period what a run then removes", async () => {
  const { world, shop, run, told } = await openVerbWorld();
  await world.posthorn.settings.update({ contentRetentionDays: 1 }, shop.asOwner);
  await world.posthorn.emails.send(
    { subject: "Hi", text: "x", to: ["ada@example.com"] },
    { workspaceId: shop.id },
  );
  await world.posthorn.drain();
  world.clock.advance(86_400_001);
  const ended = async () => {
    const [rows] = (await run("retention", "run", "--dry-run")) as [
      { table: string; rows: number; period: string }[],
    ];
    return rows.filter(({ rows }) => rows > 0);
  };
  expect(await ended()).toEqual([
    { table: "email_payloads", rows: 1, period: "by the workspace's content_retention_days" },
  ]);
  expect(await run("retention")).toEqual(await run("retention", "run", "--dry-run"));
  const [done] = await run("retention", "run");
  expect(done).toEqual({ removed: 2 });
  expect(told.at(-1)).toBe("2 rows were removed.");
  expect(await ended()).toEqual([]);
});
