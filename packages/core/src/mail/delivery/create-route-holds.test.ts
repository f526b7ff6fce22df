import { expect, test } from "vitest";
import { createRouteHolds } from "./create-route-holds.ts";

const hold = { cause: "unreachable", reason: "no route", retryAfterMs: 1_000 } as const;
const emailOf = (claimId: number, route = "w:1") => ({ route, lease: { claimId, row: claimId } });

test("a hold stops what was claimed before it, and ends with what was claimed since", () => {
  const holds = createRouteHolds();
  const [first, second, later] = [emailOf(1), emailOf(1), emailOf(2)];
  holds.claimed([first, second], { waiting: [], active: [] });
  holds.note("w:1", hold);
  holds.claimed([later], { waiting: [second], active: [] });
  expect(holds.find(second)).toEqual(hold);
  expect(holds.find(emailOf(1, "w:2"))).toBeUndefined();
  expect(holds.find(later)).toBeUndefined();
  expect(holds.find(second)).toBeUndefined();
});

test("a route of which nothing is in hand is forgotten", () => {
  const holds = createRouteHolds();
  const email = emailOf(1);
  holds.claimed([email], { waiting: [], active: [] });
  holds.note("w:1", hold);
  holds.claimed([], { waiting: [], active: [email] });
  expect(holds.find(email)).toEqual(hold);
  holds.claimed([], { waiting: [], active: [emailOf(1, "w:2")] });
  expect(holds.find(email)).toBeUndefined();
});
