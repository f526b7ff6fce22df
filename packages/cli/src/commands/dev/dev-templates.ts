import { relative } from "node:path";
import type { PreviewedTemplate, RenderedTemplate, TemplatePreviews } from "@posthorn/http";
import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { toCliError } from "../../program/errors/to-cli-error.ts";
import type { Change } from "../../template-folder/apply-changes.ts";
import { namingFiles } from "../../template-folder/fault-in-files.ts";
import { planStylesheetPush, planTemplatePush } from "../../template-folder/plan-push.ts";
import { type Folder, readFolder } from "../../template-folder/read-folder.ts";
import { readStylesheets, readTemplates } from "../../template-folder/read-workspace.ts";

/** The result of one save. */
export interface SaveResult {
  /** Pushed templates and stylesheets, each with its changes. */
  pushed: Pick<Change, "kind" | "name" | "diffs">[];
  /** Unusable files, with file and line. */
  faults: string[];
  /** Names of templates that are valid again. */
  mended: string[];
}

/** A folder of templates that a development server synchronises into its workspace. */
export interface DevTemplates extends TemplatePreviews {
  /** Reads the folder and pushes changes, each separately: a fault in one blocks no other. Reports only news. */
  push(): Promise<SaveResult>;
}

/** Creates the synchronisation of a folder with the workspace of an API; test mails go to `to`. */
export function createDevTemplates(api: Api, { path, to }: { path: string; to: string }): DevTemplates {
  let folder: Folder = { templates: new Map(), stylesheets: new Map(), files: new Map() };
  let stored: Awaited<ReturnType<typeof readTemplates>> = new Map();
  let faults = new Map<string, string>();
  let pushes = 0;

  async function apply(
    changes: readonly Change[],
    found: Map<string, string>,
  ): Promise<SaveResult["pushed"]> {
    const pushed: SaveResult["pushed"] = [];
    for (const change of namingFiles(changes, folder)) {
      if (change.action === "unchanged") continue;
      try {
        await change.apply();
        pushed.push(change);
      } catch (error) {
        found.set(change.name, messageOf(error));
      }
    }
    return pushed;
  }

  /** Plans the changes of one template; records its faults. */
  function plan(name: string, found: Map<string, string>): Change[] {
    const template = folder.templates.get(name);
    try {
      return template === undefined
        ? []
        : planTemplatePush({ api, activate: true }, new Map([[name, template]]), stored);
    } catch (error) {
      found.set(name, messageOf(error));
      return [];
    }
  }

  return {
    folder: relative(process.cwd(), path) || ".",
    revision: () => String(pushes),
    async push() {
      const found = new Map<string, string>();
      folder = await readFolder(path, {
        onFault: ({ name, error }) => void found.set(name, messageOf(error)),
      });
      const styles = planStylesheetPush({ api }, folder.stylesheets, await readStylesheets(api));
      // Stylesheets go before the templates, which are inlined with them.
      const pushed = await apply(styles, found);
      stored = await readTemplates(api, new Set(folder.files.keys()));
      for (const name of folder.templates.keys()) pushed.push(...(await apply(plan(name, found), found)));
      stored = await readTemplates(api, new Set(folder.files.keys()));
      const fresh = [...found].filter(([name, fault]) => faults.get(name) !== fault);
      if (pushed.length > 0 || fresh.length > 0 || found.size !== faults.size) pushes += 1;
      const mended = [...faults.keys()].filter((name) => !found.has(name) && folder.files.has(name));
      faults = found;
      return { mended, pushed, faults: fresh.map(([, fault]) => fault) };
    },
    list: () => [...folder.files.keys()].filter(isTemplate).sort().map(tell),
    async render(name) {
      const there = stored.get(name);
      return there === undefined ? undefined : await renderNewest(api, there);
    },
    async send(name) {
      const there = stored.get(name);
      if (there === undefined) throw new CliError("not_found", `${path} has no template "${name}".`);
      await api.request("POST /workspaces/current/templates/{templateId}/versions/{versionId}/test", {
        templateId: there.template.id,
        versionId: there.newest.id,
        to: [to],
      });
    },
  };

  function isTemplate(name: string): boolean {
    return folder.templates.has(name) || faults.has(name) || stored.has(name);
  }

  function tell(name: string): PreviewedTemplate {
    const fault = faults.get(name);
    const version = stored.get(name)?.newest.version_number;
    return {
      name,
      files: (folder.files.get(name) ?? []).map((file) => relative(path, file.path)),
      ...(version === undefined ? {} : { version }),
      ...(fault === undefined ? {} : { fault }),
    };
  }
}

type Stored = Awaited<ReturnType<typeof readTemplates>> extends Map<string, infer T> ? T : never;

/** A template rendered with its sample data. */
async function renderNewest(api: Api, { template, newest }: Stored): Promise<RenderedTemplate> {
  const { subject, html, text, missing } = await api.request(
    "POST /workspaces/current/templates/{templateId}/versions/{versionId}/preview",
    { templateId: template.id, versionId: newest.id },
  );
  return { subject, html, text, missing, sampleData: newest.sample_data };
}

function messageOf(error: unknown): string {
  const { message, hint } = error instanceof CliError ? error : toCliError(error);
  return hint === undefined || hint.includes("--debug") ? message : `${message}\n${hint}`;
}
