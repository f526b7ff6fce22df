import type { Repositories, RetentionEnds, WorkspaceClocks } from "../../ports/storage.ts";

const day = 86_400_000;
/** Number of workspaces that are read at once. */
const pageSize = 500;

/** What a workspace's periods come to. */
export interface WorkspaceEnds extends RetentionEnds {
  workspaceId: number;
}

const endsOf = ({ workspaceId, logDays, contentDays }: WorkspaceClocks, now: number): WorkspaceEnds => ({
  workspaceId,
  log: logDays > 0 ? now - logDays * day : undefined,
  content: contentDays > 0 && (logDays === 0 || contentDays < logDays) ? now - contentDays * day : undefined,
});

/** Iterates over the workspaces that have a retention period, in pages. */
export async function* workspaceEnds(
  { retention }: Pick<Repositories, "retention">,
  now: number,
): AsyncGenerator<WorkspaceEnds[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const clocks: WorkspaceClocks[] = await retention.listClocks(after, pageSize);
    yield clocks
      .map((one) => endsOf(one, now))
      .filter(({ log, content }) => log !== undefined || content !== undefined);
    after = clocks.length < pageSize ? undefined : clocks.at(-1)?.workspaceId;
  }
}
