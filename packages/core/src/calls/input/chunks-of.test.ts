import { expect, test } from "vitest";
import { host, openWorldForEach, world } from "../../../test/world-for-each.ts";

openWorldForEach();

async function* streamOf(chunk: unknown): AsyncGenerator<never> {
  yield chunk as never;
}

const message = "content: must be a stream of bytes, as Uint8Arrays: open it without an encoding";

// The text's length was stored as so many zero bytes, and a list in an ArrayBuffer was read as empty.
test.each([
  ["texts", "hello"],
  ["lists of numbers", [1, 2]],
  ["buffers without a view", new TextEncoder().encode("email\nada@example.com\n").buffer],
  ["views of more than a byte", new Uint16Array([1, 2])],
  ["nothing", null],
])("a stream of %s is refused by uploads and imports, which keep nothing", async (_, chunk) => {
  const { attachments, suppressions } = world.posthorn;
  const fault = { code: "validation_failed", message };
  const upload = attachments.upload({ filename: "a.txt", content: streamOf(chunk) }, host());
  await expect(upload).rejects.toMatchObject(fault);
  await expect(suppressions.import({ content: streamOf(chunk) }, host())).rejects.toMatchObject(fault);
  expect((await suppressions.list({}, host())).total).toBe(0);
});

test("a stream of buffers is taken", async () => {
  const content = streamOf(Buffer.from("email\nada@example.com\n"));
  expect(await world.posthorn.suppressions.import({ content }, host())).toMatchObject({ added: 1 });
});
