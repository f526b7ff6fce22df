import type { NewHits, Storage } from "@posthorn/core/storage";
import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const removals = {
  retention: (storage: Storage, workspaceId: number, now: number) =>
    storage.emails.deleteBefore(workspaceId, now, 10),
  "a deletion of the workspace": (storage: Storage, workspaceId: number) =>
    storage.workspaces.empty(workspaceId, 10),
};

test.each(Object.entries(removals))(
  "%s waits for hits that are being written, and removes them with their e-mail",
  async (_, remove) => {
    const { connectionString, schema, giveBack } = await takeTestSchema();
    const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
    const world = await createWorld(storage);
    onTestFinished(async () => {
      await world.close();
      await giveBack();
    });
    const { id: workspaceId } = await world.addWorkspace();
    const rows: number[] = [];
    for (const to of ["a@example.com", "b@example.com"]) {
      const { id } = await world.posthorn.emails.send(
        { subject: "Hi", text: "Hello", to: [to] },
        { workspaceId },
      );
      rows.push((await storage.reports.findEmail({ id }))?.row ?? 0);
    }
    await world.posthorn.drain();
    let removing: Promise<unknown> | undefined;
    let tries = 0;
    await storage.transaction(async ({ tracking }) => {
      tries += 1;
      expect(await tracking.find(rows)).toHaveLength(2);
      let isRemoved = false;
      removing ??= remove(storage, workspaceId, world.clock.now() + 1_000).then(() => {
        isRemoved = true;
      });
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
      await eventually(async () => isRemoved || (await runOnce(connectionString, waiting)).length > 0);
      await tracking.add(rows.map(hitsOn), 1);
    });
    await removing;
    expect(tries).toBe(1);
    for (const row of rows) expect(await storage.tracking.list(row)).toEqual([]);
    expect(await storage.tracking.find(rows)).toEqual([]);
  },
);

const hitsOn = (row: number): NewHits => ({
  row,
  position: 0,
  kind: "open",
  count: 1,
  humanCount: 0,
  firstAt: 1,
  firstHumanAt: undefined,
  agentClass: "browser",
  machineReason: undefined,
  address: "192.0.2.7",
  agent: undefined,
});
