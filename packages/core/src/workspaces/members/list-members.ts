import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type MemberView, viewMember } from "./member-view.ts";

/** Number of members that are read at once. */
const membersAtOnce = 1_000;

/**
 * Lists the workspace's members, oldest first (service.md, Members). All come in one answer; many are read in pieces,
 * between which others' calls go on.
 */
export const listMembers = useCase({
  access: "members:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace, piece }): Promise<Page<MemberView>> {
    const read = (after: number) => storage.members.list(workspace.id, after, membersAtOnce);
    const members = await read(0);
    for (let isMore = members.length === membersAtOnce; isMore; ) {
      const some = await piece(() => read(members.at(-1)?.userId ?? 0));
      members.push(...some);
      isMore = some.length === membersAtOnce;
    }
    return onlyPage(members.sort((a, b) => a.id - b.id).map(viewMember));
  },
});
