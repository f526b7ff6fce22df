import { type Command, Option } from "commander";
import { moment, wholeNumber } from "../program/settings/option-values.ts";
import { addPaging, addVerb } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { categories } from "./events/categories.ts";

const run = lazily(() => import("./events/actions.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addFilters(
      addVerb(command, "list", {
        asks: ["GET /admin/events"],
        summary: "list events, newest first",
        example: "posthorn events list --category audit --since 7d",
        isDefault: true,
      }),
    ),
  ).action(act(run("list")));
  addFilters(
    addVerb(command, "tail", {
      asks: ["GET /admin/events/position", "GET /admin/events"],
      summary: "write events, oldest first, and with --follow each one as it happens",
      details:
        "Writes one line an event on a terminal, cut to its width; in a pipe, or with --json, one JSON object a line. Waits while the database or the server restarts. To continue without a gap, give --since-id the last id written.",
      example: [
        "posthorn events tail --follow --category audit",
        "posthorn events tail --follow --since 1h --workspace Shop",
        "posthorn events tail --since-id 4711 | jq -r .message",
      ],
    }),
  )
    .option("-f, --follow", "keep writing until Ctrl-C")
    .option(
      "--since-id <id>",
      "only events after the one with this id; 0 for all",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option("-n, --lines <number>", "begin with this many of the latest events", wholeNumber(0, 100), 10)
    .action(act(run("tail")));
};

function addFilters(verb: Command): Command {
  return verb
    .addOption(new Option("--category <category>", "only events of this category").choices(categories))
    .option("--type <type>", "only events of this type, such as user.login or email.failed")
    .option("--workspace <id or name>", "only events of this workspace")
    .option("--since <when>", "only events since: 15m, 1h, 7d, or an ISO 8601 time", moment);
}
