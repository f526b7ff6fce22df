import { Unconfirmed } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { createAssumptions } from "./create-assumptions.ts";
import { otherAnswer } from "./joined-texts.ts";
import { createKnownAnswers } from "./known-answers.ts";

test("while what is assumed is wrong again and again, assumptions pause", async () => {
  let isWrong = true;
  let time = 0;
  const execute = async () => {
    if (isWrong) throw Object.assign(new Error(otherAnswer), { code: "22P02" });
  };
  const db = { transaction: () => ({ execute }) } as never;
  const assume = createAssumptions(
    { db, engine: {} as never, known: createKnownAnswers() },
    () => db,
    () => time,
  );
  const attempt = async (): Promise<string> => {
    const assumptions = assume();
    if (assumptions === undefined) return "paused";
    return assumptions
      .transaction(async () => {})
      .then(
        () => "confirmed",
        (error: unknown) => (error instanceof Unconfirmed ? "wrong" : String(error)),
      );
  };
  const attempts = async (count: number) => {
    const outcomes: string[] = [];
    for (let times = 0; times < count; times += 1) outcomes.push(await attempt());
    return outcomes;
  };
  expect(await attempts(10)).toEqual([...Array(8).fill("wrong"), "paused", "paused"]);
  time += 10_000;
  expect(await attempts(2)).toEqual(["wrong", "paused"]);
  time += 10_000;
  isWrong = false;
  expect(await attempts(1)).toEqual(["confirmed"]);
  isWrong = true;
  expect(await attempts(2)).toEqual(["wrong", "wrong"]);
});
