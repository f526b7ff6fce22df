// Printed by `npm run verbs`. Do not edit.
export const workspacesWords = {
  "workspaces.list": "The caller's workspaces with the caller's role in each, newest first (decisions §2).",
  "workspaces.create":
    "Makes a workspace of which the caller becomes the owner, within the `max_workspaces` of the caller's plan (decisions §2, §6). It is trusted where the operator vouches for the caller; else an administrator has to (decisions §12).",
  "workspaces.createFor":
    "Makes a workspace for a user, who becomes its owner, within the same limit: for the command line.",
  "workspaces.ensure":
    "Makes sure that there is a workspace under the host's own id, with this name: made where there is none, renamed where it has another. It is trusted, and needs no owner: without one, only the host and its API keys act on it. As often and as many at once as you like.",
  "workspaces.get": "The workspace that the call names (decisions §2).",
  "workspaces.update": "Renames the workspace (decisions §2).",
  "workspaces.delete":
    "Deletes the workspace with all that belongs to it; its exact name is the confirmation (decisions §2). What it has very many of, such as e-mails, goes first, piece by piece: a deletion that is interrupted there leaves a workspace without them, to be deleted again. The only one of a service that has one stays.",
  "workspaces.transferOwnership":
    "Makes a member the owner and the owner an admin, at one instant (decisions §2, §3). The new owner's plan must have room for one more workspace: else transfers would lead around `max_workspaces`.",
  "workspaces.listAll": "Every workspace, newest first; `q` is looked for in the name (decisions §2).",
  "workspaces.find": "Any workspace, for administrators, who need not be members.",
  "workspaces.trust":
    "Vouches for a workspace: from here on it sends from the server's own sender and through its mail server (decisions §12).",
  "workspaces.distrust":
    "Withdraws the trust: the workspace's next send is refused. What is accepted already goes out.",
};
