import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { stylesheets } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./stylesheets/actions.ts"));

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/stylesheets",
    summary: "list a workspace's stylesheets by name, in the order of inlining",
    example: "posthorn stylesheets list --workspace Shop",
    isDefault: true,
    pagesFrom: 1,
    columns: [
      { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
      { title: "BYTES", cell: ({ css }) => Buffer.byteLength(css), align: "right" },
      { title: "CHANGED", cell: ({ updated_at }) => readable(updated_at) },
      { title: "ID", cell: ({ id }) => id, narrow: "spare" },
    ],
  });
  addWorkspaceOption(
    addVerb(command, "show <stylesheet>", {
      summary: "write a stylesheet's CSS, named by name or id",
      example: "posthorn stylesheets show brand --workspace Shop > brand.css",
      asks: ["GET /workspaces/current/stylesheets/{id}"],
    }),
  ).action(act(run("show")));
  addRouteVerb(command, act, "delete <stylesheet>", {
    asks: "DELETE /workspaces/current/stylesheets/{id}",
    summary: "delete a stylesheet; this takes effect at once",
    example: "posthorn stylesheets delete brand --workspace Shop",
    find: { id: findListed(stylesheets) },
    confirm: ([named], workspace) => `Delete the stylesheet "${named}" of "${workspace?.name}"?`,
    done: (_, [named]) => `The stylesheet "${named}" is deleted.`,
  });
  addWorkspaceOption(
    addVerb(command, "push <folder>", {
      summary: "update a workspace's stylesheets from the *.css of a folder",
      details: "Shows the differences first. Changes take effect at once. Nothing is deleted.",
      example: "posthorn stylesheets push mail/ --workspace Shop --dry-run",
    }),
  )
    .option("--dry-run", "show the difference and what would be refused, and do nothing")
    .action(act(run("push")));
  addWorkspaceOption(
    addVerb(command, "pull <folder>", {
      summary: "update the *.css of a folder from a workspace's stylesheets",
      details: "Asks before it overwrites a file that differs, unless --yes is given.",
      example: "posthorn stylesheets pull mail/ --workspace Shop",
    }),
  )
    .option("--dry-run", "show the difference and do nothing")
    .action(act(run("pull")));
};
