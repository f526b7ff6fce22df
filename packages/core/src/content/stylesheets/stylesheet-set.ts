import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import type { Stylesheet } from "../../ports/storage.ts";
import { refusedInlining } from "../refused-inlining.ts";

type Context = ReadContext<"stylesheets:write">;

/** Maximum bytes of all stylesheets together (decisions §5). */
const maxBytes = 256 * 1024;
const maxStylesheets = 100;

const tooLarge = "makes the workspace's stylesheets larger than 256 KiB together";

export const cssField = z
  .string()
  .refine((css) => Buffer.byteLength(css) <= maxBytes, "is larger than 256 KiB");

/** Joins stylesheets. The `@import` at the end of one may have no semicolon of its own. */
const joined = (stylesheets: Pick<Stylesheet, "css">[]): string =>
  stylesheets.map(({ css }) => (/[^\s;}]\s*$/.test(css) ? `${css};` : css)).join("\n");

/**
 * Checks CSS alone and together with the workspace's other stylesheets, outside the event loop: together they must
 * still be inlinable. Throws `validation_failed` for the field `css`.
 */
export async function checkCss(
  { storage, workspace, runtime }: Pick<Context, "storage" | "workspace" | "runtime">,
  css: string,
  replacedId?: string,
): Promise<void> {
  const checked = await runtime.inlining.checkStylesheet(css, workspace.id);
  if (!checked.ok) throw refusedInlining("css", checked);
  const others = (await storage.stylesheets.listAll(workspace.id)).filter(({ id }) => id !== replacedId);
  if (others.length === 0) return;
  const whole = joined([...others, { css }]);
  if (Buffer.byteLength(whole) > maxBytes) throw fieldError("css", tooLarge);
  const together = await runtime.inlining.checkStylesheet(whole, workspace.id);
  if (!together.ok) throw refusedInlining("css", together, "together with the other stylesheets: ");
}

/**
 * Joins the workspace's stylesheets, by name, to the text that is inlined from now on. The workspace must be locked.
 */
export async function enforceStylesheets({
  storage,
  workspace,
  now,
}: Pick<Context, "storage" | "workspace" | "now">): Promise<void> {
  const stylesheets = await storage.stylesheets.listAll(workspace.id);
  if (stylesheets.length > maxStylesheets)
    throw fieldError(
      "name",
      `would be stylesheet number ${maxStylesheets + 1}; at most ${maxStylesheets} are allowed`,
    );
  const css = joined(stylesheets);
  if (Buffer.byteLength(css) > maxBytes) throw fieldError("css", tooLarge);
  const stylesheetSetId = css.trim() === "" ? undefined : await storage.contents.putStylesheetSet(css);
  await storage.workspaces.update(workspace.id, { stylesheetSetId, updatedAt: now });
}
