import { expect, test } from "vitest";
import { openVerbWorld } from "../../../test/verb-world.ts";
import type { EmailDetails } from "../../service/wait-for-email.ts";
import { readable } from "../../terminal/report-done.ts";
import { hitColumns, hitFields } from "./hit-words.ts";

async function readWithHits(): Promise<EmailDetails> {
  const { run, shop, world } = await openVerbWorld();
  const to = ["ada@example.com", "bob@example.com", "eve@example.com"];
  const { id } = await world.posthorn.emails.send({ subject: "Hi", text: "x", to }, { workspaceId: shop.id });
  const row = (await world.storage.reports.findEmail({ id }))?.row ?? 0;
  const at = world.clock.now();
  const hits = { row, kind: "open", machineReason: undefined, address: undefined, agent: undefined } as const;
  await world.storage.tracking.add(
    [
      { ...hits, position: 0, count: 3, humanCount: 2, firstAt: at, firstHumanAt: at, agentClass: "browser" },
      {
        ...hits,
        position: 1,
        count: 1,
        humanCount: 0,
        firstAt: at,
        firstHumanAt: undefined,
        agentClass: "unknown",
      },
    ],
    1_000,
    1,
  );
  const [email] = await run("emails", "show", id);
  return email as EmailDetails;
}

test("an e-mail is shown with who opened it, and with those whose programs alone did", async () => {
  const email = await readWithHits();
  expect(hitFields(email)).toEqual({ opens: "4, of which 2 by people" });
  const columns = hitColumns(email);
  expect(columns.map(({ title }) => title)).toEqual(["OPENED"]);
  const first = email.recipients[0]?.opened_at ?? null;
  expect(first).not.toBeNull();
  expect(email.recipients.map((one) => columns[0]?.cell(one))).toEqual([readable(first), "by no person", ""]);
});

test("one that nobody opened has no such fields", () => {
  expect(hitFields({ opens: null, clicks: null })).toEqual({});
  expect(hitColumns({ opens: null, clicks: null })).toEqual([]);
});
