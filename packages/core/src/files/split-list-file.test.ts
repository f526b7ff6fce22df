import { expect, test } from "vitest";
import { splitListFile } from "./split-list-file.ts";

async function split(text: string, options: Parameters<typeof splitListFile>[1]) {
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const parts = [];
  for await (const part of splitListFile(content(), options))
    parts.push({ ...part, content: Buffer.from(part.content).toString() });
  return parts;
}

test("a long list is split into parts, each with its line numbers in the file", async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => `u${n}@example.com,"a\nb"`);
  const parts = await split(["email,n", ...rows].join("\n"), { format: "csv", list: "recipients" });
  expect(parts.map(({ lines }) => lines.length)).toEqual([5_000, 5_000, 2_000]);
  const [, second] = parts;
  expect(second?.lines.slice(0, 2)).toEqual([10_002, 10_004]);
  expect(second?.content.split("\n")[0]).toBe('{"to":"u5000@example.com","template_data":{"n":"a\\nb"}}');
  expect(second?.lastLine).toBe(second?.lines.at(-1));
});

test("invalid lines are reported with their numbers, and the file may begin at a later line", async () => {
  const text = '{"email":"a@b.example"}\nnonsense\n{"email":"c@d.example","created_at":5}\n';
  const [part] = await split(text, { format: "ndjson", list: "suppressions", fromLine: 2 });
  expect(part).toEqual({
    content: '{"email":"c@d.example","created_at":5}\n',
    lines: [3],
    rejected: [{ line: 2, value: "nonsense", message: "is not a JSON object" }],
    lastLine: 3,
  });
});

test("large values make smaller parts", async () => {
  const line = JSON.stringify({ to: "a@b.example", template_data: { big: "x".repeat(100_000) } });
  const parts = await split(`${line}\n`.repeat(100), { format: "ndjson", list: "recipients" });
  expect(parts.map(({ lines }) => lines.length)).toEqual([42, 42, 16]);
});

test("the lines before one that can't be read make a part", async () => {
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"to":"a@b.example"}\n{"to":"c@d.example"}\n${"x".repeat(2_000_000)}`);
  };
  const parts = splitListFile(content(), { format: "ndjson", list: "recipients" });
  expect(await parts.next()).toMatchObject({ value: { lines: [1, 2], lastLine: 2 } });
  await expect(parts.next()).rejects.toThrow("from line 3 on: the line is too long");
});
