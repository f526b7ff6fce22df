import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { expectExplained } from "./expect-explained.ts";
import { onEngine, openFaultWorld } from "./open-fault-world.ts";

/** `FAULTS_BATCH_KILLS=200` for a night. */
const kills = Number(process.env["FAULTS_BATCH_KILLS"] ?? 10);
const size = 500;
/**
 * Ms after the request within which a server is killed: sometimes before the batch is on disk, sometimes while its
 * mails are sent.
 */
const span = 1_500;

/** Response to a repeated request; each e-mail's status is the current one. */
interface Answer {
  batch_id: string;
  emails: { index: number; id: string; to: string }[];
}

test.for(["SQLite", "PostgreSQL"])(
  "a server killed while it accepts a batch, and the same request repeated with its key: %s",
  { timeout: 60_000 * (kills + 4) },
  async (engine, { task }) => {
    const world = await openFaultWorld(await onEngine(engine));
    const ask = async (url: string, round: number): Promise<Answer | undefined> => {
      const recipients = Array.from({ length: size }, (_, n) => ({ to: `r${round}-${n}@example.com` }));
      const response = await fetch(`${url}/api/v1/emails/batch`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": `batch-${round}`,
        },
        body: JSON.stringify({ from: "shop@example.com", subject: "S", text: "T", recipients }),
      }).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as { data?: Answer } | undefined;
      if (response?.status !== 202 || body?.data === undefined) return undefined;
      const { batch_id, emails } = body.data;
      return { batch_id, emails: emails.map(({ index, id, to }) => ({ index, id, to })) };
    };
    let cutShort = 0;
    for (let round = 0; round < kills; round += 1) {
      const struck = await world.serve();
      const first = ask(struck.url, round);
      await delay(Math.random() ** 2 * span);
      struck.child.kill("SIGKILL");
      const told = await first;
      if (told === undefined) cutShort += 1;
      const served = await world.serve();
      const again = await ask(served.url, round);
      expect(again?.emails.map(({ index }) => index)).toEqual(Array.from({ length: size }, (_, n) => n));
      if (told !== undefined) expect(again).toEqual(told);
      // Recreated from stored data, it is the same each time.
      expect(await ask(served.url, round)).toEqual(again);
      for (const { id } of again?.emails ?? []) world.accepted.add(id);
      served.child.kill("SIGKILL");
      await served.ended;
    }
    const last = await world.serve();
    const { lost, ghosts } = await world.settled(180_000);
    const { total } = await world.storage.emails.list(
      { workspaceId: world.workspaceId },
      { offset: 0, limit: 1 },
      Date.now(),
    );
    // A batch that was cut short leaves nothing behind.
    expect({ lost, ghosts, total }).toEqual({ lost: [], ghosts: [], total: kills * size });
    const again = await expectExplained(world);
    await last.stop();
    task.meta.figures = `${kills} batches of ${size}, ${2 * kills} kills, ${cutShort} before the answer: each whole, once; ${again} mails again, each explained`;
  },
);
