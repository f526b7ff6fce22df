import { beforeEach, expect, test } from "vitest";
import { host, openDatabaseForEach, world } from "../../../test/world-for-each.ts";

openDatabaseForEach();

const at = 6;
const to = ["ada@example.com"];
/** 2,500 turns of a loop with 30 look-ups each: some 80,000 steps. */
const templateData = { list: Array(50).fill(1), empty: "" };
const text = `{{#list}}{{#list}}${"{{empty}}".repeat(10)}{{/list}}{{/list}}`;
/** Exceeds the limit of steps. */
const endless = `{{#list}}{{#list}}${"{{list.a.b.c.d}}".repeat(60)}{{/list}}{{/list}}`;
let key: { templateId: string; versionId: string };

beforeEach(async () => {
  const { templates } = world.posthorn;
  const { id, activeVersionId } = await templates.create({ name: "costly", text }, host());
  key = { templateId: id, versionId: activeVersionId };
  await templates.create({ name: "endless", text: endless }, host());
});

/** The number of turns of the event loop in which calls made at once end. */
async function turnsOf(call: () => Promise<unknown>): Promise<number> {
  let turn = 0;
  let isOver = false;
  const next = () => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const ends = await Promise.all(
    Array.from({ length: at }, () =>
      call().then(
        () => turn,
        () => turn,
      ),
    ),
  );
  isOver = true;
  return new Set(ends).size;
}

test("previews of a workspace that are asked for at once are rendered one in a turn of the event loop", async () => {
  const { preview } = world.posthorn.templateVersions;
  expect((await preview({ ...key, templateData }, host())).missing).toEqual([]);
  expect(await turnsOf(() => preview({ ...key, templateData }, host()))).toBe(at);
});

test("so are dry runs", async () => {
  const { dryRunSendTemplate } = world.posthorn.emails;
  const mail = { template: "costly", to, templateData };
  expect((await dryRunSendTemplate(mail, host())).wouldSend).toBe(true);
  expect(await turnsOf(() => dryRunSendTemplate(mail, host()))).toBe(at);
});

test("so are sends of a template that was costly before, or too costly", async () => {
  const { sendTemplate } = world.posthorn.emails;
  const mail = { template: "endless", to, templateData, allowMissing: true };
  await expect(sendTemplate(mail, host())).rejects.toMatchObject({ code: "template_render_failed" });
  expect(await turnsOf(() => sendTemplate(mail, host()))).toBe(at);
  // Those accepted are committed together: refused by a missing value, each ends where it was rendered.
  const refused = { template: "costly", to, templateData: { list: templateData.list } };
  await expect(sendTemplate(refused, host())).rejects.toMatchObject({ code: "template_data_missing" });
  expect(await turnsOf(() => sendTemplate(refused, host()))).toBe(at);
});
