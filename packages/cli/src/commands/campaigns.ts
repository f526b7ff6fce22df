import { wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { campaigns } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { countOf } from "../terminal/count-of.ts";
import { checkColumns, columns, detailedColumns } from "./campaigns/columns.ts";
import { addPlanOptions } from "./campaigns/plan-options.ts";

const statuses = ["draft", "scheduled", "running", "paused", "completed", "cancelled"] as const;
const states = ["pending", "queued", "settled", "skipped", "cancelled"] as const;
const outcomes = ["sent", "failed", "suppressed", "cancelled"] as const;
const find = { id: findListed(campaigns) };
const run = lazily(() => import("./campaigns/actions.ts"));
const watching = lazily(() => import("./campaigns/watch.ts"));

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/campaigns",
    summary: "list campaigns, the latest first",
    example: "posthorn campaigns list --status running --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    options: [
      {
        flags: "--status <status>",
        field: "status",
        describes: "only campaigns in this status",
        choices: statuses,
      },
      { flags: "--query <text>", field: "q", describes: "only campaigns with this text in their name" },
    ],
    columns,
  });
  addRouteVerb(command, act, "show <campaign>", {
    asks: "GET /workspaces/current/campaigns/{id}",
    summary: "show a campaign and its delivery so far",
    example: "posthorn campaigns show Spring --workspace Shop",
    find,
    columns: detailedColumns,
  });
  addMaking(command, act);
  addWorkspaceOption(
    addVerb(command, "add <campaign>", {
      summary: "add recipients to a campaign that has not begun",
      example: "posthorn campaigns add Spring --recipients more.csv --workspace Shop",
      asks: ["POST /workspaces/current/campaigns/{id}/recipients"],
    }),
  )
    .requiredOption("--recipients <file>", "a list: CSV or NDJSON; - for CSV on standard input")
    .option("--resume <line>", "continue from this line after an interruption", wholeNumber(1, 1_000_000_000))
    .action(act(run("add")));
  addRouteVerb(command, act, "recipients <campaign>", {
    asks: "GET /workspaces/current/campaigns/{id}/recipients",
    summary: "list a campaign's recipients, with the state of each",
    example: [
      "posthorn campaigns recipients Spring --state skipped --workspace Shop",
      "posthorn campaigns recipients Spring --email-status failed --all --format csv --workspace Shop",
    ],
    find,
    pagesFrom: 0,
    options: [
      {
        flags: "--state <state>",
        field: "state",
        describes: "only recipients in this state",
        choices: states,
      },
      {
        flags: "--email-status <status>",
        field: "email_status",
        describes: "only recipients whose e-mail has this outcome",
        choices: outcomes,
      },
      { flags: "--query <text>", field: "q", describes: "only recipients with this text in their address" },
    ],
    columns: [
      { title: "ADDRESS", cell: ({ email }) => email },
      // Of a settled recipient, the outcome of the e-mail, until retention removes that.
      { title: "STATE", cell: ({ state, email_status: outcome }) => outcome ?? state },
      { title: "REASON", cell: ({ reason }) => reason, narrow: "cut" },
      { title: "E-MAIL", cell: ({ email_id: id }) => id ?? "", narrow: "spare" },
    ],
  });
  addRouteVerb(command, act, "check <campaign>", {
    asks: "POST /workspaces/current/campaigns/{id}/check",
    summary: "check the whole list without sending: missing values, suppressed recipients",
    example: "posthorn campaigns check Spring --workspace Shop",
    find,
    columns: checkColumns,
  });
  addRouteVerb(command, act, "test <campaign> <address>", {
    asks: "POST /workspaces/current/campaigns/{id}/test",
    summary: "send a campaign's content to one address, marked as a test",
    example: "posthorn campaigns test Spring ada@example.com --workspace Shop",
    args: ["id", "to"],
    find,
    done: ({ to, id }) => `A test to ${to.join(", ")} is accepted: ${id}.`,
  });
  addStates(command, act);
};

const addMaking: Register = (command, act) => {
  addPlanOptions(
    addWorkspaceOption(
      addVerb(command, "create <name>", {
        summary: "create a campaign, a draft until it is started",
        details:
          "A list is a CSV file with a column email (or to) and one for each placeholder, or NDJSON: a JSON object with to and template_data on each line. It may have any length.",
        example: [
          "posthorn campaigns create Spring --template news --recipients people.csv --workspace Shop",
          "posthorn campaigns create Move --subject 'We moved, {{name}}' --file moved.html --ramp 500:2:day --workspace Shop",
          "posthorn campaigns create Terms --template terms --attach terms.pdf --inline logo.png=logo --workspace Shop",
        ],
        asks: [
          "POST /workspaces/current/attachments",
          "POST /workspaces/current/campaigns",
          "POST /workspaces/current/campaigns/{id}/recipients",
        ],
      }),
    ),
  )
    .option("--recipients <file>", "a list: CSV or NDJSON; - for CSV on standard input")
    .action(act(run("create")));
  addPlanOptions(
    addWorkspaceOption(
      addVerb(command, "update <campaign>", {
        summary: "change a campaign that has not begun; options left out change nothing",
        example:
          "posthorn campaigns update Spring --scheduled-at 2030-03-01T08:00:00Z --per-hour 5000 --workspace Shop",
        asks: [
          "POST /workspaces/current/attachments",
          "GET /workspaces/current/campaigns/{id}",
          "PUT /workspaces/current/campaigns/{id}",
        ],
      }),
    ),
  )
    .option("--name <name>", "another name")
    .action(act(run("update")));
};

const addStates: Register = (command, act) => {
  addRouteVerb(command, act, "start <campaign>", {
    asks: "POST /workspaces/current/campaigns/{id}/start",
    summary: "start a campaign, at its scheduled time or at once",
    details: "At a terminal, it first checks lists of up to 10,000 recipients, and asks.",
    example: "posthorn campaigns start Spring --workspace Shop",
    find,
    confirm: ([named]) => `Start "${named}"?`,
    async ask(api, { id }) {
      const { askToStart } = await import("./campaigns/ask-to-start.ts");
      return await askToStart(api, Number(id));
    },
    done: ({ name, status, recipients }) =>
      `"${name}" is ${status}: ${countOf(recipients, "recipient", "recipients")}.`,
  });
  addRouteVerb(command, act, "pause <campaign>", {
    asks: "POST /workspaces/current/campaigns/{id}/pause",
    summary: "pause a running campaign, with its waiting e-mails",
    example: "posthorn campaigns pause Spring --workspace Shop",
    find,
    done: ({ name, counts }) =>
      `"${name}" is paused: ${counts.sent} sent, ${counts.pending} still to be processed.`,
  });
  addRouteVerb(command, act, "resume <campaign>", {
    asks: "POST /workspaces/current/campaigns/{id}/resume",
    summary: "resume a paused campaign where it was",
    example: [
      "posthorn campaigns resume Spring --workspace Shop",
      "posthorn campaigns resume Spring --on-missing skip --workspace Shop",
    ],
    find,
    options: [
      {
        flags: "--on-missing <what>",
        field: "on_missing",
        describes: "what to do with recipients without a value from now on",
        choices: ["skip", "stop"],
      },
    ],
    done: ({ name }) => `"${name}" is resumed.`,
  });
  addRouteVerb(command, act, "cancel <campaign>", {
    asks: "POST /workspaces/current/campaigns/{id}/cancel",
    summary: "cancel a campaign for good",
    example: "posthorn campaigns cancel Spring --workspace Shop",
    find,
    confirm: ([named]) => `Cancel "${named}" for good?`,
    done: ({ name }) => `"${name}" is cancelled, with its waiting e-mails.`,
  });
  addRouteVerb(command, act, "delete <campaign>", {
    asks: "DELETE /workspaces/current/campaigns/{id}",
    summary: "delete a draft with its list",
    example: "posthorn campaigns delete Spring --workspace Shop",
    find,
    confirm: ([named]) => `Delete "${named}" and its list?`,
    done: (_, [named]) => `"${named}" is deleted.`,
  });
  addWorkspaceOption(
    addVerb(command, "watch <campaign>", {
      summary: "show a campaign's progress, rate and time left until it ends",
      example: "posthorn campaigns watch Spring --workspace Shop",
      asks: ["GET /workspaces/current/campaigns/{id}"],
    }),
  ).action(act(watching("watch")));
};
