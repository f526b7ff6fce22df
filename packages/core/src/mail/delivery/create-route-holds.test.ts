import { expect, test } from "vitest";
import { createRouteHolds } from "./create-route-holds.ts";

const emailOf = (claimId: number, route = "w:1") => ({ route, lease: { claimId, row: claimId } });

test("a hold stops what was claimed before it, and ends with what was claimed since", () => {
  const holds = createRouteHolds();
  const [first, second, later] = [emailOf(1), emailOf(1), emailOf(2)];
  holds.claimed([first, second], { waiting: [], active: [] });
  holds.note("w:1");
  holds.claimed([later], { waiting: [second], active: [] });
  expect(holds.stops(second)).toBe(true);
  expect(holds.stops(emailOf(1, "w:2"))).toBe(false);
  expect(holds.stops(later)).toBe(false);
  expect(holds.stops(second)).toBe(false);
});

test("a route of which nothing is in hand is forgotten", () => {
  const holds = createRouteHolds();
  const email = emailOf(1);
  holds.claimed([email], { waiting: [], active: [] });
  holds.note("w:1");
  holds.claimed([], { waiting: [], active: [email] });
  expect(holds.stops(email)).toBe(true);
  holds.claimed([], { waiting: [], active: [emailOf(1, "w:2")] });
  expect(holds.stops(email)).toBe(false);
});
