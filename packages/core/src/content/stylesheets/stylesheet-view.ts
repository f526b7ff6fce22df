import { orNotFound } from "../../calls/or-not-found.ts";
import type { Repositories, Stylesheet } from "../../ports/storage.ts";

/** A stylesheet (decisions §5). Times are ms since the epoch. */
export interface StylesheetView {
  /** The stylesheet's id, a UUID. */
  id: string;
  /** The stylesheet's name. Stylesheets are inlined in the order of their names. */
  name: string;
  /** The CSS as it was submitted. */
  css: string;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

export const viewStylesheet = ({ id, name, css, createdAt, updatedAt }: Stylesheet): StylesheetView => ({
  id,
  name,
  css,
  createdAt,
  updatedAt,
});

/** Returns the workspace's stylesheet. Throws `not_found`. */
export async function findStylesheetOrThrow(
  storage: Pick<Repositories, "stylesheets">,
  workspaceId: number,
  id: string,
): Promise<Stylesheet> {
  return orNotFound(await storage.stylesheets.find(workspaceId, id), "such stylesheet");
}
