import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { referenceProgram } from "../src/service/server/reference-program.ts";

test("the API reference's script is bundled, and is the one that the page starts", async () => {
  const script = gunzipSync(await referenceProgram.script()).toString();
  expect(script).toContain("createApiReference");
  expect(script.length).toBeGreaterThan(1_000_000);
});
