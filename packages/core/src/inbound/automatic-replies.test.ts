import { expect, test } from "vitest";
import { deliver, feed } from "../../test/returned-mail.ts";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { returnPathOf } from "./rules/report-token.ts";

openWorldForEach();

test("automatic replies and letters are counted, but not stored", async () => {
  expect(await feed("Auto-Submitted: auto-replied\r\n\r\nI am away.")).toMatchObject({
    id: undefined,
    kind: "auto_reply",
  });
  expect(await feed("From: ada@example.com\r\n\r\nThanks!")).toMatchObject({ id: undefined, kind: "other" });
  const { id, token } = await deliver();
  const recipients = [returnPathOf(token, "bounces.example")];
  for (const [field, kind] of [
    ["Auto-Submitted: auto-replied (vacation)", "auto_reply"],
    ["Precedence: junk", "auto_reply"],
    ["Subject: Re: Hi", "other"],
  ] as const) {
    const message = `${field}\r\nIn-Reply-To: <${id}@posthorn.example>\r\n\r\nI am away.`;
    const received = await world.posthorn.inbound.receiveMessage({ message, recipients });
    expect(received).toMatchObject({ id: undefined, kind, effects: [] });
  }
  expect((await world.posthorn.inbound.list({}, { workspaceId: workspace.id })).items).toEqual([]);
  const kept = world.posthorn.inbound.list({ kind: "auto_reply" as never }, { workspaceId: workspace.id });
  await expect(kept).rejects.toThrow("kind: must be one of notification, complaint");
  expect(world.posthorn.counters().inbound).toMatchObject({ auto_reply: 3, other: 2, unmatched: 0 });
});
