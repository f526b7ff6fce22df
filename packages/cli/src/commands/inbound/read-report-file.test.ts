import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../test/run-command.ts";
import { readReportFile } from "./read-report-file.ts";

test("of a report that returns a large e-mail the first MiB is read, byte by byte", async () => {
  const file = join(makeFolder(), "bounce.eml");
  writeFileSync(file, `ü${"x".repeat(2_000_000)}`);
  const message = await readReportFile(file);
  expect(message.slice(0, 3)).toBe("Ã¼x");
  expect(message).toHaveLength(1_048_576);
});
