import { type Command, InvalidArgumentError, Option } from "commander";
import { several } from "../../program/option-values.ts";

/** What the options say of how a campaign is sent. */
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
  scheduledAt?: string;
  perSecond?: number;
  perHour?: number;
  ramp?: { first: number; factor: number; every: "hour" | "day" };
  onMissing?: "skip" | "stop";
  maxBounces?: number;
  maxComplaints?: number;
  judgeAfter?: number;
}

/** Adds the options of a campaign that is made or changed. */
export const addPlanOptions = (verb: Command): Command =>
  verb
    .option("--template <name>", "the template that it sends")
    .option("--template-version <id>", "a version of it (default: the active one when it starts)")
    .option("--subject <text>", "without a template: the subject, which may hold placeholders")
    .option("--html <html>", "without a template: the html part: HTML, @file, or - for standard input")
    .option("--text <text>", "without a template: the text part: text, @file, or - for standard input")
    .option("--file <file>", "without a template, a part: .html is the html, any other the text", several)
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where answers go", several)
    .option("--attach <file>", "a file that each of its mails has; in an update none for no files", several)
    .option("--inline <file=id>", "a file shown within the html, which refers to it as cid:id", several)
    .option("--tag <tag>", "a tag to find its mails by", several)
    .option(
      "--metadata <key=value>",
      "anything of yours to keep with it; also JSON, @file, or - for standard input",
      several,
    )
    .option("--unsubscribe <list>", "let recipients leave this list with one click")
    .option("--scheduled-at <time>", "when it begins once it is started: an ISO 8601 time, or none")
    .option("--per-second <number>", "e-mails a second at the most, 0.1 for one in ten seconds", number)
    .option("--per-hour <number>", "e-mails an hour at the most", number)
    .option(
      "--ramp <first:factor:every>",
      "begin slowly: 100:2:day sends 100, then 200, then 400 a day",
      ramp,
    )
    .addOption(
      new Option("--on-missing <what>", "what becomes of recipients without a value (default: skip)").choices(
        ["skip", "stop"],
      ),
    )
    .option("--max-bounces <share>", "pause where more bounce, 0 to 1 (default: 0.05)", number)
    .option("--max-complaints <share>", "pause where more complain, 0 to 1 (default: 0.003)", number)
    .option(
      "--judge-after <number>",
      "so many mails are sent before that is looked at (default: 200)",
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
