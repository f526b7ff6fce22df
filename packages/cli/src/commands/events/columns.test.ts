import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { FollowedEvent } from "../../program/connection/api.ts";
import { formatTable } from "../../terminal/table.ts";
import { columns } from "./columns.ts";

test("a list of events at 40 columns says what happened", () => {
  const event = {
    ...{ id: 7, category: "audit", type: "plan.created", workspace_id: 1, message: "Ada created it" },
    ...{ created_at: "2030-01-31T08:00:00.000Z", metadata: "{}" },
  };
  const shown = formatTable([event as FollowedEvent], columns, 40);
  expect(stripVTControlCharacters(shown).split("\n")[1]).toBe(" 7  2030-01-31 08:00:00Z  Ada created it");
});
