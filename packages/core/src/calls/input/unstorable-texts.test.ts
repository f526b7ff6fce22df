import { expect, test } from "vitest";
import { host, openWorldForEach, type SendInput, send, world } from "../../../test/world-for-each.ts";

openWorldForEach();

/** Half of an emoji, as a host has it that cuts a text by its length. */
const half = "Hi \u{1F600}".slice(0, -1);

// As over HTTP, where the JSON is refused (docs/api.md, Bounds).
test.each<[string, string, Partial<SendInput>]>([
  ["a subject", "subject: contains half of a surrogate pair", { subject: half }],
  ["a body", "html: contains half of a surrogate pair", { html: half }],
  ["a body with NUL", "text: contains a NUL character", { text: "a\0b" }],
  ["a tag", "tags.1: contains half of a surrogate pair", { tags: ["a", half] }],
  ["a text of the metadata", "metadata.a.0: contains a NUL character", { metadata: { a: ["\0"] } }],
  ["a key of it", "metadata: has a key that contains half of a surrogate pair", { metadata: { [half]: 1 } }],
  ["a lost key", "metadata.a: has the key __proto__", { metadata: { a: JSON.parse('{"__proto__":1}') } }],
  ["a header", "headers: has a key that contains a NUL character", { headers: { "X-\0": "a" } }],
  [
    "a file's name",
    "attachments.0.filename: contains half of a surrogate pair",
    { attachments: [{ filename: half, content: "" }] },
  ],
])(
  "a host's send is refused for what no storage holds, and the field is named: %s",
  async (_, message, fields) => {
    await expect(send(fields)).rejects.toMatchObject({ code: "validation_failed", message });
  },
);

test("a text within sample data is refused by its path", async () => {
  const sampleData = { user: { name: half } };
  await expect(
    world.posthorn.templates.create({ name: "welcome", text: "Hi", sampleData }, host()),
  ).rejects.toMatchObject({ message: "sampleData.user.name: contains half of a surrogate pair" });
});

test("a filter by such a text is refused, as it can find none that is stored", async () => {
  await expect(world.posthorn.emails.list({ tag: "a\0" }, host())).rejects.toMatchObject({
    code: "validation_failed",
    message: "tag: contains a NUL character",
  });
});

test("a returned message may have any bytes, and a file's name loses its control characters", async () => {
  await world.posthorn.inbound.feed({ message: "Subject: Undelivered\r\n\r\n\0" }, host());
  const sent = await send({ attachments: [{ filename: "a\0.txt", content: "" }] });
  expect(sent.attachments[0]?.filename).toBe("a.txt");
});

test("an address that a client of the inbound port makes up is unknown, and no fault", async () => {
  const { inbound } = world.posthorn;
  const as = { kind: "operator" as const, name: "inbound port" };
  expect(await inbound.knowsAddress({ address: "a\0@b.example" }, { as })).toBe(false);
  const message = "Subject: Undelivered\r\n\r\n";
  await inbound.receiveMessage({ message, recipients: ["a\0@b.example"] }, { as });
});
