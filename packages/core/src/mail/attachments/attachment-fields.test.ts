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
