import { isDeepStrictEqual } from "node:util";
import type { Api } from "../program/connection/api.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { type Change, diffFiles } from "./apply-changes.ts";
import { stemOf } from "./file-names.ts";
import type { LocalTemplate } from "./local-template.ts";
import type { Folder } from "./read-folder.ts";
import type { StoredTemplate, Stylesheet } from "./read-workspace.ts";
import { type FullTemplate, filesOf, fullTemplateOf } from "./template-files.ts";

interface Target {
  api: Api;
  /** Whether new versions are activated. */
  activate: boolean;
}

const fresh: FullTemplate = {
  html: "",
  text: "",
  subject: "",
  description: "",
  defaultLanguage: "en",
  sampleData: {},
};

/**
 * Plans a push of the folder's templates. A template is compared with its newest version, so that a second push changes
 * nothing. Throws a usage error for new templates without a subject.
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

/** A mail without a subject is rarely intended; `"subject": ""` says that it is. */
function assertSubjects(fresh: [string, LocalTemplate][]): void {
  const files = fresh
    .filter(([, { subject }]) => subject === undefined)
    .map(([name]) => `${stemOf(name)}.json`);
  if (files.length === 0) return;
  throw new CliError(
    "usage",
    `No file has the subject of ${files.length === 1 ? "a new template" : `${files.length} new templates`}: it belongs in ${files.join(", ")}.`,
    'An example: {"subject": "Welcome, {{name}}"}',
  );
}

function planCreate({ api }: Target, name: string, template: LocalTemplate): Change {
  const { description, defaultLanguage } = template;
  return {
    kind: "template",
    name,
    action: "create",
    diffs: diffFiles(new Map(), filesOf(name, { ...fresh, ...template })),
    check: () => checkLocal(name, template),
    async apply() {
      const fields = { name, ...contentOf(template), description };
      const { id, default_language } = await api.request("POST /workspaces/current/templates", fields);
      if (defaultLanguage !== undefined && defaultLanguage !== default_language)
        await api.request("PUT /workspaces/current/templates/{id}", {
          id,
          default_language: defaultLanguage,
        });
    },
  };
}

function planUpdate(
  { api, activate }: Target,
  name: string,
  local: LocalTemplate,
  { template, newest }: StoredTemplate,
): Change {
  const before = fullTemplateOf({ template, newest });
  // A part without a file is empty; a field that the JSON file leaves out is unchanged.
  const after: FullTemplate = { ...before, html: "", text: "", ...local };
  const { description, defaultLanguage, ...content } = after;
  const { description: _, defaultLanguage: __, ...formerContent } = before;
  const sameContent = isDeepStrictEqual(content, formerContent);
  const sameDetails = description === before.description && defaultLanguage === before.defaultLanguage;
  const activates = activate && (!sameContent || !newest.is_active);
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
    check: () => checkLocal(name, after),
    async apply() {
      const { id: templateId } = template;
      if (!sameDetails)
        await api.request("PUT /workspaces/current/templates/{id}", {
          id: templateId,
          description,
          default_language: defaultLanguage,
        });
      const { id: versionId } = sameContent
        ? newest
        : await api.request("POST /workspaces/current/templates/{templateId}/versions", {
            templateId,
            ...contentOf(after),
            note: "pushed",
          });
      if (activates)
        await api.request("POST /workspaces/current/templates/{templateId}/activate/{versionId}", {
          templateId,
          versionId,
        });
    },
  };
}

async function checkLocal(name: string, template: LocalTemplate): Promise<void> {
  const { checkTemplate } = await import("@posthorn/core/internal");
  const { html, text, subject, description, sampleData } = template;
  checkTemplate({ name, html, text, subject, description, sampleData });
}

/** Picks the fields of a template that belong to its version. */
const contentOf = ({ html, text, subject, sampleData }: LocalTemplate) => ({
  html,
  text,
  subject,
  sample_data: sampleData,
});

/** Plans a push of the folder's stylesheets. */
export function planStylesheetPush(
  { api }: Omit<Target, "activate">,
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
      async check() {
        const { checkStylesheet } = await import("@posthorn/core/internal");
        await checkStylesheet(css);
      },
      async apply() {
        if (there === undefined) await api.request("POST /workspaces/current/stylesheets", { name, css });
        else await api.request("PUT /workspaces/current/stylesheets/{id}", { id: there.id, css });
      },
    };
  });
}
