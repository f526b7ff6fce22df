import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type MemberView, viewMember } from "./member-view.ts";

/** Lists the workspace's members, oldest first (service.md, Members). */
export const listMembers = useCase({
  access: "members:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<Page<MemberView>> {
    return onlyPage((await storage.members.list(workspace.id)).map(viewMember));
  },
});
