import type { Repositories, WorkspaceClocks } from "../../ports/storage.ts";

const day = 86_400_000;
/** Number of workspaces that are read at once. */
const pageSize = 500;

/** Times before which a workspace's e-mails, and their content, are removed; `undefined` for never. */
export interface WorkspaceEnds {
  workspaceId: number;
  log: number | undefined;
  content: number | undefined;
}

const endsOf = ({ workspaceId, logDays, contentDays }: WorkspaceClocks, now: number): WorkspaceEnds => ({
  workspaceId,
  log: logDays > 0 ? now - logDays * day : undefined,
  content: contentDays > 0 && (logDays === 0 || contentDays < logDays) ? now - contentDays * day : undefined,
});

/** Iterates over the workspaces that have a retention period. */
export async function* workspaceEnds(
  { retention }: Pick<Repositories, "retention">,
  now: number,
): AsyncGenerator<WorkspaceEnds> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const clocks: WorkspaceClocks[] = await retention.listClocks(after, pageSize);
    for (const one of clocks) {
      const ends = endsOf(one, now);
      if (ends.log !== undefined || ends.content !== undefined) yield ends;
    }
    after = clocks.length < pageSize ? undefined : clocks.at(-1)?.workspaceId;
  }
}
