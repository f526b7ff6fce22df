import { beforeEach, expect, test } from "vitest";
import { add, deliveries, drainNext, queue } from "../../../test/webhook-deliveries.ts";
import { openWorldForEach, world } from "../../../test/world-for-each.ts";
import { silentLogger } from "../../ports/logger.ts";

const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));

openWorldForEach({
  logger: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
});

test("deliveries that a process without descriptors can't try are one line of its log, however many", async () => {
  const { id } = await add();
  for (let n = 0; n < 5; n += 1) await queue(id);
  world.http.answerWith(() => ({ kind: "fault", fault: "exhausted", durationMs: 0 }));
  await world.posthorn.drain();
  await drainNext();
  expect(await deliveries(id)).toMatchObject(Array(5).fill({ status: "pending", attempts: 0 }));
  expect(warnings).toEqual(["webhook deliveries could not be tried, and are postponed"]);
});
