import { wholeNumber } from "../program/settings/option-values.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { apiKeys } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/api-keys",
    summary: "list a workspace's API keys, newest first",
    example: "posthorn api-keys list --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    columns: [
      { title: "PREFIX", cell: ({ prefix }) => `${prefix}…` },
      { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
      { title: "EXPIRES", cell: ({ expires_at }) => readable(expires_at) || "never" },
      { title: "LAST USED", cell: ({ last_used_at }) => readable(last_used_at) },
      { title: "BY USER", cell: ({ created_by }) => created_by ?? "", align: "right", narrow: "spare" },
      { title: "ID", cell: ({ id }) => id, narrow: "spare" },
    ],
  });
  addRouteVerb(command, act, "create <name>", {
    asks: "POST /workspaces/current/api-keys",
    summary: "create an API key, which is shown only once",
    details:
      "Only the key goes to standard output, so that you can redirect it to a file unseen; --json writes all about it.",
    example: "posthorn api-keys create shop-server --workspace Shop > key.txt",
    args: ["name"],
    options: [
      {
        flags: "--expires-in-days <days>",
        field: "expires_in_days",
        describes: "its lifetime, 0 for ever (default: the workspace's setting)",
        read: wholeNumber(0, 3650),
      },
    ],
    done: ({ name, expires_at }) =>
      `The API key "${name}" is created. ${expires_at === null ? "It never expires." : `It expires ${readable(expires_at)}.`}`,
    secret: { of: ({ key }) => key, ifLost: "Revoke it, and create another: posthorn api-keys list" },
  });
  addRouteVerb(command, act, "revoke <key>", {
    asks: "DELETE /workspaces/current/api-keys/{id}",
    summary: "revoke an API key, named by id, prefix or name: it is refused at once",
    example: "posthorn api-keys revoke sk_4fT9q --workspace Shop",
    find: { id: findListed(apiKeys) },
    confirm: ([named], workspace) =>
      `Revoke the API key ${named} of "${workspace?.name}"? Programs that use it can no longer send.`,
    done: (_, [named]) => `The key ${named} is revoked.`,
  });
};
