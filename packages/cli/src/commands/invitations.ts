import { findListed } from "../program/verbs/find-listed.ts";
import { invitations } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";
import { inviting } from "./members/inviting.ts";

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/invitations",
    summary: "list a workspace's pending invitations",
    example: "posthorn invitations list --workspace Shop",
    isDefault: true,
    columns: [
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "E-MAIL", cell: ({ email }) => email },
      { title: "ROLE", cell: ({ role }) => role },
      { title: "EXPIRES", cell: ({ expires_at }) => readable(expires_at) },
    ],
  });
  addRouteVerb(command, act, "create <email>", {
    ...inviting,
    example: "posthorn invitations create ada@example.com --role editor --workspace Shop",
  });
  addRouteVerb(command, act, "cancel <invitation>", {
    asks: "DELETE /workspaces/current/invitations/{id}",
    summary: "cancel an invitation, named by id or address",
    example: "posthorn invitations cancel ada@example.com --workspace Shop",
    find: { id: findListed(invitations) },
    confirm: ([named], workspace) => `Cancel the invitation of ${named} to "${workspace?.name}"?`,
    done: (_, [named]) => `The invitation of ${named} is cancelled.`,
  });
};
