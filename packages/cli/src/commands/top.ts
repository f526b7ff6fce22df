import { asksFor } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { wholeNumber } from "../program/option-values.ts";
import type { Register } from "../program/register.ts";

const run = lazily(() => import("./top/watch-queue.ts"));

export const register: Register = (command, act) => {
  asksFor(command, ["GET /admin/queue"])
    .option("--interval <seconds>", "time between looks, 1 to 60", wholeNumber(1, 60), 2)
    .option("--once", "look for one interval, show it and end; so does a pipe")
    .addHelpText(
      "after",
      `
Shows how the queue stands, and goes on showing it: what waits where and why, how fast mail is accepted and delivered, who delivers, and
what failed of late. Rates are recipients a second over the last five looks. q or Ctrl-C ends it.

Examples:
  posthorn top
  posthorn top --profile production --interval 5
  posthorn top --once --json | jq .rates`,
    )
    .action(act(run("watchQueue")));
};
