import { wholeNumber } from "../program/settings/option-values.ts";
import { asksFor } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";

const run = lazily(() => import("./top/watch-queue.ts"));

export const register: Register = (command, act) => {
  asksFor(command, ["GET /admin/queue"])
    .option("--interval <seconds>", "seconds between updates, 1 to 60", wholeNumber(1, 60), 2)
    .option("--once", "measure one interval, show it and exit; the default in a pipe")
    .addHelpText(
      "after",
      `
Shows the queue's status live: which e-mails wait where and why, how fast e-mails are accepted and delivered, which workers deliver, which
webhooks deliveries wait for and why, and recent failures. Rates are recipients a second over the last five updates. Press q or Ctrl-C to end it.

Examples:
  posthorn top
  posthorn top --profile production --interval 5
  posthorn top --once --json | jq .rates`,
    )
    .action(act(run("watchQueue")));
};
