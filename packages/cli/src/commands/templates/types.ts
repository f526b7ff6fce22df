import { statSync } from "node:fs";
import { templateFieldsOf } from "@posthorn/core/internal";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { listItems } from "../../program/verbs/find-listed.ts";
import { templates } from "../../program/verbs/listed-things.ts";
import { shellWord } from "../../program/verbs/shell-word.ts";
import { printTypes, type TypedTemplate } from "../../template-folder/print-types.ts";
import { readIfThere } from "../../template-folder/read-if-there.ts";
import type { Template } from "../../template-folder/read-workspace.ts";
import { writeAtomically } from "../../template-folder/write-atomically.ts";
import { countOf } from "../../terminal/count-of.ts";
import { pickVersion } from "./pick-version.ts";

interface TypesOptions {
  workspace?: string;
  newest?: boolean;
  output?: string;
  check?: boolean;
}

export async function types(
  context: CommandContext,
  { workspace, newest = false, output: path, check = false }: TypesOptions,
): Promise<void> {
  if (check && path === undefined)
    throw new CliError("usage", "--check compares with a file.", "Name it: --output src/templates.d.ts");
  if (path !== undefined) assertNoDevice(path);
  const api = await context.inWorkspace(workspace);
  const typed: TypedTemplate[] = [];
  for (const template of await listItems(templates, api)) typed.push(await readTyped(api, template, newest));
  const text = printTypes(typed);
  const { output } = context;
  if (path === undefined) return output.data(text);
  const count = countOf(typed.length, "template", "templates");
  if (!check) {
    await writeAtomically(path, text);
    return output.done(`${path} is written: it describes the data of ${count}.`);
  }
  if ((await readIfThere(path)) !== text)
    throw new CliError(
      "failed",
      `${path} does not match the templates of "${api.workspace.name}".`,
      `Write it again: posthorn templates types --output ${shellWord(path)}`,
    );
  output.done(`${path} is up to date: it describes the data of ${count}.`);
}

/** The new file takes the place of what has the name: as root also that of /dev/stdout or /dev/null. */
function assertNoDevice(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw new CliError(
    "usage",
    `${path} is no file, and would be replaced by one.`,
    "Name a file. For standard output, leave out --output.",
  );
}

async function readTyped(api: Api, template: Template, newest: boolean): Promise<TypedTemplate> {
  const version = await pickVersion(api, { template, newest });
  const { subject, html, text } = version;
  return {
    name: template.name,
    versionNumber: version.version_number,
    fields: templateFieldsOf([subject, html, text]),
  };
}
