import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type DomainView, viewDomain } from "./domain-view.ts";

/** A page of the workspace's sending domains, by name. */
export const listDomains = useCase({
  access: "domains:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace, config, now }, page): Promise<Page<DomainView>> {
    const { items, total } = await storage.domains.list(workspace.id, sliceOf(page));
    return pageOf({ items: items.map((domain) => viewDomain(domain, config, now)), total }, page);
  },
});
