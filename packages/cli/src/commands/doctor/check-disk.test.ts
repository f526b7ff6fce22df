import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDisk } from "./check-disk.ts";

test("tells of the space at a database whose folder does not exist yet", () => {
  const file = join(tmpdir(), "none", "posthorn.db");
  expect(checkDisk({ database_url: `sqlite:${file}` }).found).toMatch(/^[\d,]+ MiB free \(\d+ %\)$/);
});

test.skipIf(process.platform !== "linux")("calls a file system without a size not full", () => {
  expect(checkDisk({ database_url: "sqlite:/proc/posthorn.db" })).toEqual({
    check: "disk",
    state: "ok",
    found: "its file system does not tell its size",
  });
});
