import { z } from "zod";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type DomainView, viewDomain } from "./domain-view.ts";

const pages = pagesOf("domains");

/** Lists the workspace's sending domains, newest first. */
export const listDomains = useCase({
  access: "domains:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace, config, now }, page): Promise<Page<DomainView>> {
    const found = await storage.domains.list(workspace.id, pages.sliceOf(page));
    return pages.pageOf(found, page, (domain) => viewDomain(domain, config, now));
  },
});
