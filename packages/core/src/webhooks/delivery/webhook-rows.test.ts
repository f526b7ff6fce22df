import { expect, test, vi } from "vitest";
import { add, answering, openWebhookWorldForEach, queue } from "../../../test/webhook-deliveries.ts";
import { world } from "../../../test/world-for-each.ts";

openWebhookWorldForEach();

test("the rows of endpoints are changed in the order of their ids, whatever they answered: no two workers deadlock", async () => {
  const ids = [(await add()).id, (await add()).id].sort();
  const [first = "", second = ""] = ids;
  // It works again: only its count of exhausted deliveries is reset.
  await world.storage.webhooks.countExhausted(first, true);
  const answers = new Map([
    [await queue(second), answering(500)],
    [await queue(first), answering(200)],
  ]);
  world.http.answerWith((post) => answers.get(post.headers["webhook-id"] ?? "")?.() ?? answering(404)());
  const changed: string[][] = [];
  const { transaction } = world.storage;
  vi.spyOn(world.storage, "transaction").mockImplementation((work, holder) =>
    transaction((repositories) => {
      const own: string[] = [];
      changed.push(own);
      const { noteOutcome, countExhausted } = repositories.webhooks;
      const webhooks = {
        ...repositories.webhooks,
        noteOutcome: (id: string, outcome: Parameters<typeof noteOutcome>[1]) => {
          own.push(id);
          return noteOutcome(id, outcome);
        },
        countExhausted: (id: string, isExhausted: boolean) => {
          own.push(id);
          return countExhausted(id, isExhausted);
        },
      };
      return work(Object.create(repositories, { webhooks: { value: webhooks } }) as typeof repositories);
    }, holder),
  );
  await world.posthorn.drain();
  expect(changed.filter(({ length }) => length > 0)).toEqual([[first, first, second]]);
});
