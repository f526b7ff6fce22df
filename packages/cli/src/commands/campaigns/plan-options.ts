import { type Command, InvalidArgumentError, Option } from "commander";
import { several, type TrackOption, trackOption } from "../../program/settings/option-values.ts";

/** Options for how a campaign is sent. */
export interface PlanOptions {
  template?: string;
  templateVersion?: string;
  subject?: string;
  html?: string;
  text?: string;
  file?: string[];
  from?: string;
  replyTo?: string[];
  attach?: string[];
  inline?: string[];
  tag?: string[];
  metadata?: string[];
  unsubscribe?: string;
  track?: TrackOption;
  scheduledAt?: string;
  perSecond?: number;
  perHour?: number;
  ramp?: { first: number; factor: number; every: "hour" | "day" };
  onMissing?: "skip" | "stop";
  maxBounces?: number;
  maxComplaints?: number;
  judgeAfter?: number;
}

/** Adds the options for creating or updating a campaign. */
export const addPlanOptions = (verb: Command): Command =>
  verb
    .option("--template <name>", "the template to send")
    .option("--template-version <id>", "the template's version (default: the active one when it starts)")
    .option("--subject <text>", "the subject, in place of a template; may hold placeholders")
    .option("--html <html>", "the html part, in place of a template: HTML, @file, or - for standard input")
    .option("--text <text>", "the text part, in place of a template: text, @file, or - for standard input")
    .option("--file <file>", "a part, in place of a template: .html is the html, any other the text", several)
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where replies go", several)
    .option("--attach <file>", "a file to attach to each e-mail; none removes all (update)", several)
    .option("--inline <file=id>", "a file shown in the html, which refers to it as cid:id", several)
    .option("--tag <tag>", "a tag to find its e-mails by", several)
    .option(
      "--metadata <key=value>",
      "your own data to store with it; also JSON, @file, or - for standard input",
      several,
    )
    .option("--unsubscribe <list>", "let recipients unsubscribe from this list with one click")
    .addOption(trackOption())
    .option("--scheduled-at <time>", "when to begin once it is started: an ISO 8601 time, or none")
    .option("--per-second <number>", "the most e-mails a second, 0.1 for one in ten seconds", number)
    .option("--per-hour <number>", "the most e-mails an hour", number)
    .option(
      "--ramp <first:factor:every>",
      "begin slowly: 100:2:day sends 100, then 200, then 400 a day",
      ramp,
    )
    .addOption(
      new Option("--on-missing <what>", "what to do with recipients without a value (default: skip)").choices(
        ["skip", "stop"],
      ),
    )
    .option("--max-bounces <share>", "pause if a greater share bounces, 0 to 1 (default: 0.05)", number)
    .option("--max-complaints <share>", "pause if a greater share complains, 0 to 1 (default: 0.003)", number)
    .option(
      "--judge-after <number>",
      "check bounces and complaints after so many e-mails (default: 200)",
      number,
    );

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return value;
}

function ramp(text: string): PlanOptions["ramp"] {
  const [, first = "", factor = "", every] = /^(\d+):(\d+(?:\.\d+)?):(hour|day)$/.exec(text) ?? [];
  if (every !== "hour" && every !== "day")
    throw new InvalidArgumentError("It must look like 100:2:day or 50:1.5:hour.");
  return { first: Number(first), factor: Number(factor), every };
}
