import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, runCommand } from "./run-command.ts";

const shown = async (env: Record<string, string>, cwd = makeFolder()): Promise<Record<string, unknown>> =>
  JSON.parse((await runCommand(["config", "show", "--json"], { cwd, env })).stdout);

test("a token that is a URL's name and its password is masked in both places", async () => {
  const SERVICE_SMTP_URL = "smtp://opensesame:opensesame@smtp.example.com:587";
  expect(await shown({ SERVICE_SMTP_URL })).toMatchObject({
    smtp_url: "smtp://••••••:••••••@smtp.example.com:587",
  });
});

test("a URL whose name has a percent sign that escapes nothing is shown", async () => {
  const SERVICE_SMTP_URL = "smtp://50%off:opensesame@smtp.example.com:587";
  expect(await shown({ SERVICE_SMTP_URL })).toMatchObject({
    smtp_url: "smtp://50%off:••••••@smtp.example.com:587",
  });
});

test("what is shown as JSON can be the file of settings: null is unset", async () => {
  const cwd = makeFolder();
  const before = await shown(
    { SERVICE_DKIM_KEYS: "ph1=a.pem, ed1=b.pem", SERVICE_TRUST_PROXY: "10.0.0.0/8 192.0.2.1" },
    cwd,
  );
  expect(before).toMatchObject({ dkim_keys: ["ph1=a.pem", "ed1=b.pem"] });
  writeFileSync(join(cwd, "posthorn.config.json"), JSON.stringify(before));
  expect(await shown({}, cwd)).toEqual(before);
});
