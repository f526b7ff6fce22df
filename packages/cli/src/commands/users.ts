import { addVerb } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./users/actions.ts"));

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /admin/users",
    summary: "list users, newest first",
    example: "posthorn users list --query ada",
    isDefault: true,
    pagesFrom: 0,
    options: [
      {
        flags: "--query <text>",
        field: "q",
        describes: "only users with this text in their name or address",
      },
    ],
    columns: [
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
      { title: "E-MAIL", cell: ({ email }) => email },
      { title: "ADMIN", cell: ({ is_admin }) => (is_admin ? "yes" : "no") },
      { title: "2FA", cell: ({ two_factor_enabled }) => (two_factor_enabled ? "on" : "off") },
      { title: "VERIFIED", cell: ({ email_verified }) => (email_verified ? "yes" : "no"), narrow: "spare" },
      { title: "CREATED", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
    ],
  });
  addVerb(command, "show <user>", {
    asks: ["GET /admin/users", "GET /admin/users/{userId}"],
    summary: "show a user, named by id or e-mail address",
    example: "posthorn users show ada@example.com",
  }).action(act(run("show")));
  addVerb(command, "create", {
    asks: ["POST /admin/users"],
    summary: "create a user with a verified address",
    details: "Create the first administrator this way, at the database.",
    example:
      "posthorn users create --email ada@example.com --name Ada --admin --password-stdin < password.txt",
  })
    .requiredOption("--email <address>", "the e-mail address")
    .option("--name <name>", "the person's name (default: the part before the @)")
    .option("--admin", "make the user an administrator")
    .option("--password-stdin", "read the password from standard input instead of asking")
    .action(act(run("create")));
  addRouteVerb(command, act, "ensure <external-id>", {
    asks: "PUT /admin/users-by-external-id/{externalId}",
    summary: "create or update the user with an external id, with this name and address",
    details:
      "Created if there is none, updated if the name or address differs. The user has no password and the address counts as verified: your program vouches for both.",
    example: "posthorn users ensure user-42 --name Edith --email edith@acme.example",
    options: [
      { flags: "--name <name>", field: "name", describes: "the person's name", isRequired: true },
      { flags: "--email <address>", field: "email", describes: "the e-mail address", isRequired: true },
    ],
    done: ({ id, email, external_id }) => `${email} is user ${id}, with the external id "${external_id}".`,
  });
  addVerb(command, "link <user> <external-id>", {
    asks: ["PUT /admin/users/{userId}/external-id"],
    summary: "set an account's external id, replacing a former one",
    details: "People whom your login lets in under that id act as this user from then on.",
    example: "posthorn users link ada@example.com user-41",
  }).action(act(run("link")));
  addVerb(command, "promote <user>", {
    asks: ["POST /admin/users/{userId}/administrator"],
    summary: "make a user an administrator",
    example: "posthorn users promote ada@example.com",
  }).action(act(run("promote")));
  addVerb(command, "demote <user>", {
    asks: ["DELETE /admin/users/{userId}/administrator"],
    summary: "remove a user's administrator rights",
    example: "posthorn users demote ada@example.com",
  }).action(act(run("demote")));
  addVerb(command, "reset-2fa <user>", {
    asks: ["DELETE /admin/users/{userId}/2fa"],
    summary: "disable a user's two-factor login",
    details:
      "For a user who lost their device. Their sessions end and they are notified by e-mail; the event log records who did it.",
    example: "posthorn users reset-2fa ada@example.com",
  }).action(act(run("resetTwoFactor")));
  addVerb(command, "set-password <user>", {
    summary: "set a user's password",
    details: "Their sessions end and they are notified by e-mail. Works only at the database.",
    example: "posthorn users set-password ada@example.com --yes --password-stdin < password.txt",
  })
    .option("--password-stdin", "read the password from standard input instead of asking")
    .action(act(run("setPassword")));
  addVerb(command, "delete <user>", {
    asks: ["DELETE /admin/users/{userId}"],
    summary: "delete a user's account with its logins and memberships",
    details:
      "Refused as long as the user owns workspaces. The logs keep the user's actions, by name; the user is notified by e-mail.",
    example: "posthorn users delete ada@example.com --yes",
  }).action(act(run("remove")));
  addVerb(command, "revoke-sessions <user>", {
    asks: ["GET /admin/users/{userId}/sessions", "DELETE /admin/users/{userId}/sessions"],
    summary: "end all of a user's sessions",
    example: "posthorn users revoke-sessions ada@example.com",
  }).action(act(run("revokeSessions")));
  addVerb(command, "plan <user>", {
    summary: "show a user's plan, and whether it is their own or the default",
    example: "posthorn users plan ada@example.com",
    asks: ["GET /admin/users/{id}/plan"],
  }).action(act(run("plan")));
};
