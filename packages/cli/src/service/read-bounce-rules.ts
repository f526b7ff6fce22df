import { readFileSync } from "node:fs";
import type { OwnBounceRule } from "@posthorn/core";
import { CliError } from "../program/errors/cli-error.ts";
import type { SettingValues } from "../program/settings/settings.ts";
import { whyUnreadable } from "../program/settings/unreadable.ts";
import { textOf } from "../terminal/text-of.ts";

/** Reads the operator's bounce rules from their file; the service checks their contents. Throws a usage error. */
export function readBounceRules({
  bounce_rules: file,
}: Pick<SettingValues, "bounce_rules">): readonly OwnBounceRule[] {
  if (file === undefined) return [];
  try {
    return JSON.parse(textOf(readFileSync(file)));
  } catch (error) {
    throw new CliError(
      "usage",
      `SERVICE_BOUNCE_RULES: ${file} can't be read: ${whyUnreadable(error)}.`,
      'It holds a list such as [{"category": "policy", "code": "554", "words": "not on our guest list"}]',
      { cause: error },
    );
  }
}
