import { isDeepStrictEqual } from "node:util";
import type { Posthorn } from "@posthorn/core";
import { CliError } from "../program/cli-error.ts";
import { operatorCall } from "../program/operator-call.ts";
import { type Change, diffFiles } from "./apply-changes.ts";
import { stemOf } from "./file-names.ts";
import type { Folder, LocalTemplate } from "./read-folder.ts";
import type { StoredTemplate, Stylesheet } from "./read-workspace.ts";
import { filesOf, type WholeTemplate, wholeOf } from "./template-files.ts";

interface Target {
  posthorn: Posthorn;
  workspaceId: number;
  /** Whether a new version is made the active one. */
  activate: boolean;
}

const fresh: WholeTemplate = {
  html: "",
  text: "",
  subject: "",
  description: "",
  defaultLanguage: "en",
  sampleData: {},
};

/**
 * What a push of the folder's templates would change. A template is compared with its newest version, so that a second push changes
 * nothing. Throws a usage error for new templates whose subject no file says.
 */
export function planTemplatePush(
  target: Target,
  local: Folder["templates"],
  stored: ReadonlyMap<string, StoredTemplate>,
): Change[] {
  assertSubjects([...local].filter(([name]) => !stored.has(name)));
  return [...local].map(([name, template]) => {
    const there = stored.get(name);
    return there === undefined
      ? planCreate(target, name, template)
      : planUpdate(target, name, template, there);
  });
}

/** A mail without a subject is seldom meant: who means it writes `"subject": ""`. */
function assertSubjects(fresh: [string, LocalTemplate][]): void {
  const files = fresh
    .filter(([, { subject }]) => subject === undefined)
    .map(([name]) => `${stemOf(name)}.json`);
  if (files.length === 0) return;
  throw new CliError(
    "usage",
    `No file says the subject of ${files.length === 1 ? "a new template" : `${files.length} new templates`}: it stands in ${files.join(", ")}.`,
    'An example: {"subject": "Welcome, {{name}}"}',
  );
}

function planCreate({ posthorn, workspaceId }: Target, name: string, template: LocalTemplate): Change {
  const { description, defaultLanguage, ...content } = template;
  return {
    kind: "template",
    name,
    action: "create",
    diffs: diffFiles(new Map(), filesOf(name, { ...fresh, ...template })),
    async apply() {
      const call = operatorCall(workspaceId);
      const made = await posthorn.templates.create(
        { name, ...content, ...(description === undefined ? {} : { description }) },
        call,
      );
      if (defaultLanguage !== undefined && defaultLanguage !== made.defaultLanguage)
        await posthorn.templates.update({ templateId: made.id, defaultLanguage }, call);
    },
  };
}

function planUpdate(
  { posthorn, workspaceId, activate }: Target,
  name: string,
  local: LocalTemplate,
  { template, newest }: StoredTemplate,
): Change {
  const before = wholeOf({ template, newest });
  // What has no file is empty; what the JSON file leaves out stays as it is.
  const after: WholeTemplate = { ...before, html: "", text: "", ...local };
  const { description, defaultLanguage, ...content } = after;
  const { description: _, defaultLanguage: __, ...formerContent } = before;
  const sameContent = isDeepStrictEqual(content, formerContent);
  const sameDetails = description === before.description && defaultLanguage === before.defaultLanguage;
  const activates = activate && (!sameContent || !newest.isActive);
  const action = !sameContent
    ? "add_version"
    : !sameDetails
      ? "update"
      : activates
        ? "activate"
        : "unchanged";
  return {
    kind: "template",
    name,
    action,
    diffs: action === "unchanged" ? [] : diffFiles(filesOf(name, before), filesOf(name, after)),
    async apply() {
      const call = operatorCall(workspaceId);
      const templateId = template.id;
      if (!sameDetails) await posthorn.templates.update({ templateId, description, defaultLanguage }, call);
      const version = sameContent
        ? newest
        : await posthorn.templateVersions.create({ templateId, ...content, note: "pushed" }, call);
      if (activates) await posthorn.templateVersions.activate({ templateId, versionId: version.id }, call);
    },
  };
}

/** What a push of the folder's stylesheets would change. */
export function planStylesheetPush(
  { posthorn, workspaceId }: Omit<Target, "activate">,
  local: Folder["stylesheets"],
  stored: ReadonlyMap<string, Stylesheet>,
): Change[] {
  return [...local].map(([name, css]): Change => {
    const there = stored.get(name);
    const file = `${stemOf(name)}.css`;
    const action = there === undefined ? "create" : there.css === css ? "unchanged" : "update";
    return {
      kind: "stylesheet",
      name,
      action,
      diffs: diffFiles(new Map([[file, there?.css ?? ""]]), new Map([[file, css]])),
      async apply() {
        const call = operatorCall(workspaceId);
        if (there === undefined) await posthorn.stylesheets.create({ name, css }, call);
        else await posthorn.stylesheets.update({ stylesheetId: there.id, css }, call);
      },
    };
  });
}
