import { beforeEach, expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../../../test/world-for-each.ts";

let campaignId: number;
openWorldForEach();
beforeEach(async () => {
  ({ id: campaignId } = await own().create({ name: "Spring", subject: "{{first_name}}", text: "x" }));
});

const own = () => world.posthorn.workspace(shop.id).campaigns;
const imported = (text: string, over: object = {}) =>
  own().importRecipients({ campaignId, content: Buffer.from(text), ...over });
const listed = () => world.storage.campaigns.recipientsAfter(campaignId, 0, { limit: 10_000, maxBytes: 1e9 });

test("a CSV file adds everybody to the list once, with a value for each column by its name", async () => {
  const file =
    '\ufeffE-Mail;first_name;Größe\r\nAda <ada@example.com>;"Ada;\r\nL.";1,70\r\nADA@example.com;again;\r\nnobody;x;\r\n=1+1@example.com;Bob;\r\n';
  expect(await imported(file)).toEqual({
    added: 2,
    duplicates: 1,
    rejected: [{ line: 5, value: "nobody", message: "is not an e-mail address" }],
    rejectedTotal: 1,
    lastLine: 6,
  });
  expect(await listed()).toMatchObject([
    {
      name: "Ada",
      address: "ada@example.com",
      templateData: { first_name: expect.stringContaining("Ada;"), Größe: "1,70" },
    },
    { address: "=1+1@example.com", templateData: { first_name: "Bob" } },
  ]);
  expect(await imported(file)).toMatchObject({ added: 0, duplicates: 3 });
});

test("a column email has the addresses, also behind one named to, which is a placeholder's then", async () => {
  expect(await imported("to,name,Email\nRome,Ada,ada@example.com\n")).toMatchObject({ added: 1 });
  expect(await listed()).toMatchObject([
    { address: "ada@example.com", templateData: { to: "Rome", name: "Ada" } },
  ]);
});

test("what no storage holds is rejected in CSV by the words of NDJSON", async () => {
  const rejected = async (text: string, contentType: string) =>
    (await imported(text, { contentType })).rejected.map(({ message }) => message);
  for (const data of [{ name: "A\0" }, { "na\0me": "A" }, JSON.parse('{"__proto__":"A"}')]) {
    const [[column, cell] = []] = Object.entries(data);
    const csv = await rejected(`email,${column}\nada@example.com,${cell}\n`, "text/csv");
    const line = JSON.stringify({ to: "ada@example.com", template_data: data });
    expect([csv, csv.length]).toEqual([await rejected(line, "application/x-ndjson"), 1]);
  }
  expect(await listed()).toEqual([]);
});

test("an NDJSON file keeps types of values, and reports invalid lines", async () => {
  const lines = [
    { to: "ada@example.com", template_data: { first_name: "Ada", items: [{ price: 1.5 }] } },
    { email: "bob@example.com" },
    { to: "eve@example.com", data: {} },
    { template_data: {} },
    { to: "big@example.com", template_data: { big: "x".repeat(300_000) } },
    { to: 7 },
    { to: "kim@example.com", email: "lee@example.com" },
  ].map((line) => JSON.stringify(line));
  const told = await imported([...lines, "[1]"].join("\n"), { contentType: "application/x-ndjson" });
  expect(told).toMatchObject({ added: 2, rejectedTotal: 6 });
  expect(told.rejected.map(({ line, message }) => [line, message])).toEqual([
    [3, "is not a field of a recipient"],
    [4, "has no address"],
    [5, "template_data is larger than 256 KiB as JSON"],
    [6, "is not an e-mail address"],
    [7, "is given besides to"],
    [8, "is not a JSON object"],
  ]);
  expect((await listed())[0]?.templateData).toEqual({ first_name: "Ada", items: [{ price: 1.5 }] });
});

test("a list of addresses needs no header, and a file of another kind is refused", async () => {
  expect(await imported("ada@example.com\nbob@example.com\n")).toMatchObject({ added: 2 });
  await expect(imported("phone\n123\n")).rejects.toMatchObject({ code: "validation_failed" });
  await expect(imported("x", { contentType: "image/png" })).rejects.toMatchObject({
    code: "unsupported_media_type",
  });
  await expect(imported("x", { size: 65 * 1024 * 1024 })).rejects.toMatchObject({
    code: "payload_too_large",
  });
});

test("stops if the campaign is started meanwhile, and keeps the recipients added so far", async () => {
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`email\n${Array.from({ length: 1_010 }, (_, n) => `u${n}@example.com\n`).join("")}`);
    await own().start({ campaignId });
    yield Buffer.from("late@example.com\n");
  }
  await expect(own().importRecipients({ campaignId, content: lines() })).rejects.toMatchObject({
    code: "campaign_not_editable",
  });
  expect(await listed()).toHaveLength(1_000);
  await expect(imported("email\nx@example.com\n")).rejects.toMatchObject({ code: "campaign_not_editable" });
});

test("adds nobody without the permission, or after it is lost", async () => {
  const editor = await shop.addMember("editor");
  const viewer = await shop.addMember("viewer");
  const content = Buffer.from("email\nx@example.com\n");
  await expect(
    world.posthorn.campaigns.importRecipients({ campaignId, content }, shop.as(viewer)),
  ).rejects.toMatchObject({ code: "forbidden" });
  async function* lines(): AsyncGenerator<Uint8Array> {
    await world.storage.members.setRole(shop.id, editor.userId, "viewer");
    yield content;
  }
  await expect(
    world.posthorn.campaigns.importRecipients({ campaignId, content: lines() }, shop.as(editor)),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect(await listed()).toEqual([]);
});

test("holds only a few recipients with large values in memory at once", async () => {
  const sizes: number[] = [];
  async function* lines(): AsyncGenerator<Uint8Array> {
    const data = { big: "x".repeat(64 * 1024) };
    for (let n = 0; n < 200; n += 1) {
      yield Buffer.from(`${JSON.stringify({ to: `u${n}@example.com`, template_data: data })}\n`);
      sizes.push((await own().get({ campaignId })).recipients);
    }
  }
  const told = await own().importRecipients({
    campaignId,
    content: lines(),
    contentType: "application/x-ndjson",
  });
  expect(told.added).toBe(200);
  // A chunk is complete at 1 MiB of values: 16 recipients.
  expect([...new Set(sizes)].slice(0, 4)).toEqual([0, 16, 32, 48]);
});

test("recipients before a line that can't be read are on the list", async () => {
  await expect(imported('email\nada@example.com\nnobody\n"bob@example.com\n')).rejects.toThrow(
    "from line 4 on",
  );
  expect(await listed()).toMatchObject([{ address: "ada@example.com" }]);
});
