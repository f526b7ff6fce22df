import { expect, test } from "vitest";
import { attachmentsField } from "./attachment-fields.ts";

test("a content that is neither base64 nor bytes is told what it must be", () => {
  for (const content of [5, new Blob(["x"]), Buffer.from("x").toJSON()]) {
    const { error } = attachmentsField.safeParse([{ filename: "a.txt", content }]);
    expect(error?.issues).toMatchObject([
      { path: [0, "content"], message: expect.stringMatching(/^must be base64, or a Uint8Array/) },
    ]);
  }
});

test("files that are too large together are measured by the length of their base64, and not decoded", () => {
  const read = (...contents: (string | Uint8Array)[]) =>
    attachmentsField
      .parse(contents.map((content) => ({ filename: "a.txt", content })))
      .map(({ content }) => [content?.size, content?.bytes.length]);

  const most = 10 * 1024 * 1024;
  expect(read(new Uint8Array(most), "YQ==")).toEqual([
    [most, 0],
    [1, 0],
  ]);
  expect(read(new Uint8Array(most - 1), "YQ==\n\n\n\n")).toEqual([
    [most - 1, most - 1],
    [1, 1],
  ]);
});
