import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../program/errors/cli-error.ts";
import { type Bundle, bundleComponent } from "./bundle-component.ts";
import { projectOf } from "./from-project.ts";
import type { LocalTemplate } from "./local-template.ts";
import { placeholderProps } from "./placeholder-props.ts";

/** Result of rendering. */
interface Rendering {
  template: { default?: { PreviewProps?: Record<string, unknown> }; subject?: unknown };
  createElement(component: unknown, props: object): unknown;
  render(element: unknown): Promise<string> | string;
}

/**
 * Renders a React Email component with the project's own React, `@react-email/render` and esbuild. Its `PreviewProps`
 * become placeholders and the sample data; an export `subject` is the subject. Throws a usage error for a missing
 * package or a failure, with the line if known.
 */
export async function renderReact(file: string): Promise<LocalTemplate> {
  const project = projectOf(file);
  for (const name of ["react", "@react-email/render"]) project.modulesOf(name);
  // Folder in which the project's packages can be imported by name.
  const folder = join(project.modulesOf("@react-email/render"), ".cache", "posthorn");
  const path = join(folder, `${process.pid}-${crypto.randomUUID()}.mjs`);
  const bundle = await bundleComponent(project, { file, path });
  await mkdir(folder, { recursive: true });
  await writeFile(path, bundle.code);
  const failed = (error: unknown): CliError =>
    new CliError(
      "usage",
      `${placeOf(error, bundle) ?? file} can't be rendered: ${(error as Error).message}`,
      undefined,
      { cause: error },
    );
  try {
    const rendering: Rendering = await import(pathToFileURL(path).href).catch((error: unknown) => {
      throw failed(error);
    });
    return await renderComponent(file, rendering, failed);
  } finally {
    await rm(path, { force: true });
  }
}

async function renderComponent(
  file: string,
  { template, createElement, render }: Rendering,
  failed: (error: unknown) => CliError,
): Promise<LocalTemplate> {
  const component = template.default;
  if (typeof component !== "function")
    throw new CliError("usage", `${file} has no component as its default export.`);
  const { PreviewProps: sample } = component as { PreviewProps?: Record<string, unknown> };
  const element = createElement(component, placeholderProps(sample ?? {}, { file }));
  try {
    // The text part is made from the html when sent: React Email's own has headings, and placeholders in them, in
    // capitals.
    return {
      html: await render(element),
      ...(sample === undefined ? {} : { sampleData: sample }),
      ...(typeof template.subject === "string" ? { subject: template.subject } : {}),
    };
  } catch (error) {
    throw failed(error);
  }
}

/** Returns where in a bundle's sources an error was thrown, such as `mail/welcome.tsx:4`. */
function placeOf(error: unknown, { path, originOf }: Bundle): string | undefined {
  const stack = String((error as Partial<Error>).stack);
  const from = stack.indexOf(path);
  const [, line, column] = (from < 0 ? null : /^:(\d+):(\d+)/.exec(stack.slice(from + path.length))) ?? [];
  return line === undefined ? undefined : originOf(Number(line), Number(column));
}
