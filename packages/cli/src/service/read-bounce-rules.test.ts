import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/run-command.ts";
import { readBounceRules } from "./read-bounce-rules.ts";
import { readDkimKeys } from "./secrets/read-dkim-keys.ts";

test("a file of rules or a key that can't be read is named, with the reason in words", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "rules"));
  const read = (name: string) => () => readBounceRules({ bounce_rules: join(folder, name) });
  expect(read("none")).toThrow(
    `SERVICE_BOUNCE_RULES: ${join(folder, "none")} can't be read: there is no such file.`,
  );
  expect(read("rules")).toThrow("can't be read: it is a folder.");
  const keys = [{ selector: "ph1", file: join(folder, "rules") }];
  await expect(readDkimKeys({ dkim_domain: "shop.example", dkim_keys: keys })).rejects.toThrow(
    `SERVICE_DKIM_KEYS: ${join(folder, "rules")} can't be read: it is a folder.`,
  );
});
