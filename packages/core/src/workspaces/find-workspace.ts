import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { type AdministeredWorkspace, getWorkspaceOrThrow, viewAdministered } from "./workspace-view.ts";

/** Returns any workspace. For administrators, who need not be members. */
export const findWorkspace = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    workspaceId: z.int("must be a workspace's number").positive().describe("The workspace's number."),
  }),
  async run({ storage }, { workspaceId }): Promise<AdministeredWorkspace> {
    return viewAdministered(await getWorkspaceOrThrow(storage, workspaceId));
  },
});
