// Printed by `npm run verbs`. Do not edit.
export const workspacesWords = {
  "workspaces.list": "The caller's workspaces with the caller's role in each, newest first (decisions §2).",
  "workspaces.create":
    "Creates a workspace with the caller as its owner, within the `max_workspaces` of the caller's plan (decisions §2, §6). It is trusted if the operator vouches for the caller; else an administrator must trust it (decisions §12).",
  "workspaces.createFor":
    "Creates a workspace for a user, who becomes its owner, within the same limit: for the command line.",
  "workspaces.ensure":
    "Creates or updates the workspace with the host's own id: created if there is none, renamed if its name differs. It is trusted, and needs no owner: without one, only the host and its API keys act on it. Repeating it is safe, and so are concurrent calls.",
  "workspaces.get": "The workspace that the call names (decisions §2).",
  "workspaces.update": "Renames the workspace (decisions §2).",
  "workspaces.delete":
    "Deletes the workspace with everything in it; its exact name is the confirmation (decisions §2). Its large tables, such as e-mails, are deleted first, piece by piece: an interrupted deletion leaves the workspace without them; delete it again. The workspace of a service that has only one can't be deleted.",
  "workspaces.transferOwnership":
    "Makes a member the owner and the owner an admin, atomically (decisions §2, §3). The new owner's plan must have room for one more workspace: else transfers would bypass `max_workspaces`.",
  "workspaces.listAll": "Every workspace, newest first; `q` is looked for in the name (decisions §2).",
  "workspaces.find": "Any workspace, for administrators, who need not be members.",
  "workspaces.trust":
    "Trusts a workspace: from now on it may send from the server's default sender and through its mail server (decisions §12).",
  "workspaces.distrust":
    "Withdraws the trust: the workspace's next send is refused. E-mails already accepted are still sent.",
};
