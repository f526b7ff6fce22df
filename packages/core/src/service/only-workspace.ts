import type { Storage } from "../ports/storage.ts";

/** The workspace of a service that has one tenant (`PosthornOptions.workspace`). */
export type OnlyWorkspaceOption =
  /** One that is there already. */
  | { id: number }
  /** Made by `migrate`, or when it is first asked for, and renamed where it has another name. */
  | { name: string; externalId?: string };

/** Which workspace the calls act on that name none. */
export interface OnlyWorkspace {
  /** Its number; it is made where it is not there yet. */
  id(): Promise<number>;
  /** Makes it, or gives it the name of the options. */
  ensure(): Promise<void>;
}

/** Looks the workspace up once: from then on its number is known. */
export function createOnlyWorkspace(
  storage: Pick<Storage, "workspaces">,
  option: { id: number } | { name: string; externalId: string },
  ensure: (given: { name: string; externalId: string }) => Promise<{ id: number }>,
): OnlyWorkspace {
  if ("id" in option) return { id: async () => option.id, ensure: async () => {} };
  let known: number | undefined;
  const look = async (): Promise<number> =>
    (await storage.workspaces.findByExternalId(option.externalId))?.id ?? (await ensure(option)).id;
  return {
    async id() {
      known ??= await look();
      return known;
    },
    async ensure() {
      known = (await ensure(option)).id;
    },
  };
}
