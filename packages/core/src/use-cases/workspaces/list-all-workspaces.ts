import { z } from "zod";
import { useCase } from "../../use-case.ts";
import { type Page, pageFromZero, pageOf, sliceFromZero } from "../paging.ts";

/** A workspace as administrators see it. Times are ms since the epoch. */
export interface AdministeredWorkspace {
  id: number;
  name: string;
  planId: number | undefined;
  createdAt: number;
  updatedAt: number;
}

/** Every workspace, newest first; `q` is looked for in the name (decisions §2). */
export const listAllWorkspaces = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ ...pageFromZero, q: z.string().trim().max(200).optional() }),
  async run({ storage }, { q, ...paging }): Promise<Page<AdministeredWorkspace>> {
    const found = await storage.workspaces.list({ q: q || undefined }, sliceFromZero(paging));
    const items = found.items.map(({ id, name, planId, createdAt, updatedAt }) => ({
      id,
      name,
      planId,
      createdAt,
      updatedAt,
    }));
    return pageOf({ items, total: found.total }, paging);
  },
});
