import type { Repositories, Storage } from "../ports/storage.ts";

/** The workspace of a service that has one tenant (`PosthornOptions.workspace`). */
export type OnlyWorkspaceOption =
  /** One that is there already. */
  | { id: number }
  /** Made by `migrate`, or when it is first asked for, and renamed where it has another name. */
  | { name: string; externalId?: string };

/** Which workspace the calls act on that name none. */
export interface OnlyWorkspace {
  /**
   * Its number; it is made where it is not there yet. In a transaction of the host's that comes before any other call, both are done inside
   * it: the host may yet roll back, so that nothing is remembered.
   */
  id(transaction?: unknown): Promise<number>;
  /** Whether it has this number; it is not made for that. */
  is(id: number, storage: Pick<Repositories, "workspaces">): Promise<boolean>;
  /** Makes it, or gives it the name of the options. */
  ensure(): Promise<void>;
}

/** The workspace's name and the id that it is found by. */
interface Named {
  name: string;
  externalId: string;
}

/** Looks the workspace up once: from then on its number is known. */
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
