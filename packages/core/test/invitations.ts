import { afterEach, beforeEach } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import type { UserCaller } from "../src/calls/caller.ts";
import { createWorld, type TestWorkspace, type World } from "../src/testing/index.ts";

export let world: World;
export let workspace: TestWorkspace;
export let guest: UserCaller;
type InvitedRole = "admin" | "editor" | "viewer";

export const invite = (
  email = "guest@example.org",
  role: InvitedRole = "editor",
  options: { as?: UserCaller; workspaceId: number } = workspace.asOwner,
) => world.posthorn.invitations.create({ email, role }, options);

/** Returns the token in the newest invitation mail to an address. */
export async function mailedToken(address = "guest@example.org"): Promise<string> {
  await world.posthorn.drain();
  const mail = world.mailer.inbox
    .all()
    .filter(({ envelope }) => envelope.to.some((to) => to.toLowerCase() === address.toLowerCase()))
    .at(-1);
  const token = /https:\/\/app\.example\/mail\/invitations\?token=([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`there is no invitation mail to ${address}`);
  return token;
}

export const typesOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .map(({ type }) => type)
    .filter((type) => type.startsWith("invitation."));

export const roleOf = (user: UserCaller) => world.storage.members.roleOf(workspace.id, user.userId);

/** Opens a world with a workspace and a guest before each test of a file, and closes it after. */
export function openInvitationWorldForEach(): void {
  beforeEach(async () => {
    world = await createWorld(await openTestSqlite(), {
      appUrl: "https://app.example/mail",
    });
    workspace = await world.addWorkspace({ name: "Shop & Sons" });
    guest = await world.addUser({ name: "Guest", email: "Guest@Example.org" });
  });
  afterEach(() => world.close());
}
