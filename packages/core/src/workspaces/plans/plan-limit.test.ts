import { expect, test } from "vitest";
import { assertWithinLimit } from "./plan-limit.ts";

test("counts nothing without a limit, however many there are", async () => {
  const count = async () => expect.fail("it counted");
  await expect(assertWithinLimit("max_api_keys", 0, count)).resolves.toBeUndefined();
});

test("refuses what the limit does not leave room for, with the count", async () => {
  await expect(assertWithinLimit("max_api_keys", 2, async () => 1)).resolves.toBeUndefined();
  await expect(assertWithinLimit("max_api_keys", 2, async () => 2)).rejects.toMatchObject({
    code: "plan_limit_reached",
    details: { limit: "max_api_keys", value: 2, used: 2 },
  });
});
