import { expect, test } from "vitest";
import { codesOf, openWorldForEach, send } from "../../../test/world-for-each.ts";

openWorldForEach();

const mail = (over: object = {}) =>
  send({
    idempotencyKey: "k",
    headers: { "X-A": "1", "X-B": "2" },
    metadata: { a: 1, b: [{ c: 2, d: 3 }] },
    attachments: [{ filename: "a.txt", content: "aGk=" }],
    ...over,
  });

// platform.md P2
test("a request is the same whatever the order of the keys in its JSON", async () => {
  const first = await mail();
  const ordered = { headers: { "X-B": "2", "X-A": "1" }, metadata: { b: [{ d: 3, c: 2 }], a: 1 } };
  expect(await mail(ordered)).toMatchObject({ id: first.id, replayed: true });
  expect(
    await codesOf([
      mail({ metadata: { a: 1, b: [{ c: 2 }, { d: 3 }] } }),
      mail({ to: ["bob@example.com"] }),
      mail({ attachments: [{ filename: "a.txt", content: "aG8=" }] }),
    ]),
  ).toEqual(Array(3).fill("idempotency_key_reused"));
});
