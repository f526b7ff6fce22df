import type { RouteVerb } from "../../program/verbs/route-verb-shape.ts";
import { assignableRoles } from "./assignable-roles.ts";

/** The verb that invites a person, shared by `members` and `invitations`. */
export const inviting: Omit<RouteVerb<"POST /workspaces/current/invitations">, "example"> = {
  asks: "POST /workspaces/current/invitations",
  summary: "invite somebody to a workspace by e-mail",
  args: ["email"],
  options: [
    {
      flags: "--role <role>",
      field: "role",
      describes: "the new member's role",
      choices: assignableRoles,
      isRequired: true,
    },
  ],
  done: ({ email, role }) => `An invitation with the role ${role} is queued for ${email}.`,
};
