import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { createKnownAnswers } from "./known-answers.ts";

const byId = (id: number | string, table = "a") =>
  CompiledQuery.raw(`select * from ${table} where id = $1`, [id]);

test("an answer is found by its statement and parameters, and the last one counts", () => {
  const known = createKnownAnswers();
  known.remember(byId(1), "[1]");
  known.remember(byId(1, "b"), null);
  known.remember(byId(1), "[2]");
  expect([known.find(byId(1)), known.find(byId("1")), known.find(byId(1, "b"))]).toEqual([
    "[2]",
    undefined,
    null,
  ]);
  known.forget(byId(1));
  expect(known.find(byId(1))).toBeUndefined();
});

test("the oldest answers are removed first, by number and by size", () => {
  const few = createKnownAnswers({ answers: 2, size: 10_000 });
  for (const id of [1, 2, 1, 3]) few.remember(byId(id), "[]");
  expect([1, 2, 3].map((id) => few.find(byId(id)))).toEqual(["[]", undefined, "[]"]);
  const small = createKnownAnswers({ answers: 1_000, size: 1_000 });
  for (let id = 0; id < 500; id += 1) small.remember(byId(id), "[]");
  expect(Array.from({ length: 500 }, (_, id) => small.find(byId(id))).filter(Boolean).length).toBeLessThan(
    143,
  );
  small.remember(byId(499), `["${"long".repeat(50)}"]`);
  expect(small.find(byId(499))).toBeUndefined();
  expect(small.find(byId(498))).toBe("[]");
});
