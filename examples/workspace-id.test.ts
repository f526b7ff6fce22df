import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each(["express-postgres", "fastify", "hono"])("%s does not start without WORKSPACE_ID", async (name) => {
  const { WORKSPACE_ID: _, SECRET_KEY: __, ...env } = process.env;
  const app = join(import.meta.dirname, name, "app.ts");
  const args = ["--conditions=posthorn-source", app];
  const cwd = mkdtempSync(join(tmpdir(), "posthorn-example-"));
  await expect(promisify(execFile)(process.execPath, args, { cwd, env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("WORKSPACE_ID is not set"),
  });
});
