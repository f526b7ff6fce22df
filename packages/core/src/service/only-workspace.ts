import type { Repositories, Storage } from "../ports/storage.ts";

/** The only workspace of a service with one tenant (`PosthornOptions.workspace`). */
export type OnlyWorkspaceOption =
  /** An existing workspace, by its number. */
  | {
      /** The workspace's number. */
      id: number;
    }
  /** A workspace by name: created by `migrate` or when it is first needed, and renamed if its name differs. */
  | {
      /** The workspace's name: at most 100 characters on one line, without a link. */
      name: string;
      /** Your own id for it, by which it is found again under another name. Default `only`. */
      externalId?: string | undefined;
    };

/** The workspace for calls that name none. */
export interface OnlyWorkspace {
  /**
   * Returns the workspace's number and creates it if it is missing. If the first call is in a host's transaction, both
   * are done inside it, and nothing is cached, as the host may roll back.
   */
  id(transaction?: unknown): Promise<number>;
  /** Whether the workspace has this number. Does not create it. */
  is(id: number, storage: Pick<Repositories, "workspaces">): Promise<boolean>;
  /** Creates the workspace, or renames it to the name of the options. */
  ensure(): Promise<void>;
}

/** The workspace's name, and the external id that it is found by. */
interface Named {
  name: string;
  externalId: string;
}

/** Creates the look-up of the workspace. Its number is cached after the first. */
export function createOnlyWorkspace(
  storage: Pick<Storage<unknown>, "workspaces" | "within">,
  option: { id: number } | Named,
  ensure: (given: Named, transaction?: unknown) => Promise<{ id: number }>,
): OnlyWorkspace {
  if ("id" in option)
    return { id: async () => option.id, is: async (id) => id === option.id, ensure: async () => {} };
  let known: number | undefined;
  const find = async ({ workspaces }: Pick<Repositories, "workspaces">): Promise<number | undefined> =>
    (await workspaces.findByExternalId(option.externalId))?.id;
  return {
    async id(transaction) {
      if (known !== undefined) return known;
      if (transaction !== undefined)
        return (await find(storage.within(transaction))) ?? (await ensure(option, transaction)).id;
      known = (await find(storage)) ?? (await ensure(option)).id;
      return known;
    },
    is: async (id, repositories) => id === (known ?? (await find(repositories))),
    async ensure() {
      known = (await ensure(option)).id;
    },
  };
}
