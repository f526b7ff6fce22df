import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../program/cli-error.ts";
import { projectOf } from "./from-project.ts";
import { placeholderProps } from "./placeholder-props.ts";
import type { LocalTemplate } from "./read-folder.ts";

interface Bundler {
  build(options: object): Promise<{ outputFiles: { text: string }[] }>;
}

/** What the file and the project's packages come to. */
interface Rendering {
  template: { default?: { PreviewProps?: Record<string, unknown> }; subject?: unknown };
  createElement(component: unknown, props: object): unknown;
  render(element: unknown): Promise<string> | string;
}

/**
 * Renders a React Email component by the project's own React, `@react-email/render` and esbuild. Its `PreviewProps` become
 * placeholders and the sample data; an export `subject` is the subject. Throws a usage error for what is missing or fails.
 */
export async function renderReact(file: string): Promise<LocalTemplate> {
  const { template, createElement, render } = await load(file);
  const component = template.default;
  if (typeof component !== "function")
    throw new CliError("usage", `${file} has no component as its default export.`);
  const { PreviewProps: sample } = component as { PreviewProps?: Record<string, unknown> };
  const element = createElement(component, placeholderProps(sample ?? {}, { file }));
  try {
    // The text part is made of the html when it is sent: React Email's own writes headings, and placeholders in them, in capitals.
    return {
      html: await render(element),
      ...(sample === undefined ? {} : { sampleData: sample }),
      ...(typeof template.subject === "string" ? { subject: template.subject } : {}),
    };
  } catch (error) {
    throw failed(file, error);
  }
}

const failed = (file: string, error: unknown): CliError =>
  new CliError("usage", `${file} can't be rendered: ${(error as Error).message}`, undefined, {
    cause: error,
  });

async function load(file: string): Promise<Rendering> {
  const project = projectOf(file);
  for (const name of ["react", "@react-email/render"]) project.modulesOf(name);
  const modules = project.modulesOf("@react-email/render");
  const { build } = (await project.load("esbuild")) as unknown as Bundler;
  const entry = `
    export * as template from "./${basename(file)}";
    export { createElement } from "react";
    export { render } from "@react-email/render";
  `;
  let code: string;
  try {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: dirname(file) },
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
      packages: "external",
      jsx: "automatic",
      logLevel: "silent",
    });
    code = outputFiles[0]?.text ?? "";
  } catch (error) {
    throw failed(file, error);
  }
  // Where the project's packages are found by their names.
  const folder = join(modules, ".cache", "posthorn");
  const path = join(folder, `${process.pid}-${crypto.randomUUID()}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, code);
  try {
    const loaded: Rendering = await import(pathToFileURL(path).href);
    return loaded;
  } catch (error) {
    throw failed(file, error);
  } finally {
    await rm(path, { force: true });
  }
}
