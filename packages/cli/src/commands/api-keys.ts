import type { Register } from "../commands.ts";
import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { wholeNumber } from "../program/option-values.ts";

const run = lazily(() => import("./api-keys/actions.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "list", {
      summary: "list a workspace's API keys, newest first",
      example: "posthorn api-keys list --workspace Shop",
      isDefault: true,
    }),
  ).action(act(run("list")));
  addWorkspaceOption(
    addVerb(command, "create <name>", {
      summary: "make an API key, which is shown this once",
      details:
        "The key alone goes to standard output, so that it can be kept in a file without being seen; all about it with --json.",
      example: "posthorn api-keys create shop-server --workspace Shop > key.txt",
    }),
  )
    .option(
      "--expires-in-days <days>",
      "its lifetime, 0 for ever (default: as the workspace's settings say)",
      wholeNumber(0, 3650),
    )
    .action(act(run("create")));
  addWorkspaceOption(
    addVerb(command, "revoke <key>", {
      summary: "end an API key, named by id or prefix: it is refused at once",
      example: "posthorn api-keys revoke sk_4fT9q --workspace Shop",
    }),
  ).action(act(run("revoke")));
};
