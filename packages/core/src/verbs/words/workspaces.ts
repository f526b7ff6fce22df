// Printed by `npm run verbs`. Do not edit.
export const workspacesWords = {
  "workspaces.list":
    "Lists the caller's workspaces with the caller's role in each, newest first (decisions §2).",
  "workspaces.create":
    "Creates a workspace with the caller as its owner, within the `max_workspaces` of the caller's plan (decisions §2, §6). It is trusted if the operator vouches for the caller; otherwise an administrator must trust it (decisions §12).",
  "workspaces.createFor":
    "Creates a workspace for a user, who becomes its owner, within the limit of their plan. For the host and the command line.",
  "workspaces.ensure":
    "Creates or updates the workspace with the host's own id: created if there is none, renamed if its name differs. It is trusted, and needs no owner: without one, only the host and its API keys act on it. Repeating the call is safe, and so are concurrent calls.",
  "workspaces.get": "Returns the workspace of the call (decisions §2).",
  "workspaces.update": "Renames the workspace (decisions §2).",
  "workspaces.delete":
    "Deletes the workspace with everything in it. Its exact name is the confirmation (decisions §2). Large tables, such as e-mails, are deleted first, in pieces, and meanwhile the workspace sends nothing more. After an interrupted deletion it remains without those rows, sends again within a minute, and can be deleted again. The only workspace of a single-workspace service can't be deleted.",
  "workspaces.transferOwnership":
    "Makes a member the owner and the owner an admin, atomically (decisions §2, §3). The new owner's plan must allow one more workspace: otherwise transfers would bypass `max_workspaces`.",
  "workspaces.listAll": "Lists all workspaces, newest first. `q` is searched in the name (decisions §2).",
  "workspaces.find": "Returns any workspace. For administrators, who need not be members.",
  "workspaces.trust":
    "Trusts a workspace: it may then send from the server's default sender and through its mail server (decisions §12).",
  "workspaces.distrust":
    "Withdraws the trust: the workspace sends only from its own verified domains, or through mail servers of its own. That also holds for e-mails that wait, except those of the last minute.",
};
