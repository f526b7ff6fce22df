import type { Reply, RequestFields } from "@posthorn/client";
import { CliError } from "../../program/errors/cli-error.ts";
import { defined } from "../../program/verbs/defined.ts";
import { readContent } from "../../terminal/read-content.ts";
import { readMetadata } from "../../terminal/read-input.ts";
import type { PlanOptions } from "./plan-options.ts";

type Campaign = Reply<"GET /workspaces/current/campaigns/{id}">;
/** Settings of a campaign, in the API's names. */
type Plan = Omit<RequestFields<"PUT /workspaces/current/campaigns/{id}">, "id" | "name">;

/** Reads a campaign's options; settings without an option keep their value. Throws a usage error. */
export async function readPlan(options: PlanOptions, standing?: Campaign): Promise<Plan> {
  const { from, replyTo, tag, metadata, unsubscribe, scheduledAt, onMissing } = options;
  const given = {
    ...(await readWhatItSays(options, standing)),
    ...defined({ from, reply_to: replyTo, tags: tag, ramp: options.ramp, on_missing: onMissing }),
    ...defined({ tracking: options.track }),
    ...(metadata === undefined ? {} : { metadata: await readMetadata(metadata) }),
    ...(unsubscribe === undefined ? {} : { unsubscribe: { list: unsubscribe } }),
    ...(scheduledAt === undefined || scheduledAt === "none" ? {} : { scheduled_at: scheduledAt }),
  };
  const plan = { ...(standing && planOf(standing)), ...given };
  if (scheduledAt === "none") delete plan.scheduled_at;
  const pace = { ...plan.pace, ...defined({ per_second: options.perSecond, per_hour: options.perHour }) };
  const autoPause = {
    ...plan.auto_pause,
    ...defined({
      bounce_rate: options.maxBounces,
      complaint_rate: options.maxComplaints,
      after: options.judgeAfter,
    }),
  };
  return {
    ...plan,
    ...(Object.keys(pace).length === 0 ? {} : { pace }),
    ...(Object.keys(autoPause).length === 0 ? {} : { auto_pause: autoPause }),
  };
}

/** Returns the current settings in the form of a new plan. */
function planOf(campaign: Campaign): Plan {
  const { from, reply_to, headers, tags, metadata, unsubscribe, tracking } = campaign;
  const { pace, ramp, on_missing, auto_pause } = campaign;
  return {
    ...defined({ from: from ?? undefined, ramp: ramp ?? undefined }),
    ...defined({ scheduled_at: campaign.scheduled_at ?? undefined }),
    tracking: defined({ opens: tracking.opens ?? undefined, clicks: tracking.clicks ?? undefined }),
    ...{ reply_to, headers, tags, metadata, on_missing, auto_pause, unsubscribe: unsubscribe ?? false },
    pace: defined({ per_second: pace.per_second ?? undefined, per_hour: pace.per_hour ?? undefined }),
  };
}

async function readWhatItSays(options: PlanOptions, standing: Campaign | undefined): Promise<Plan> {
  const { template, templateVersion, subject, html, text, file: files = [] } = options;
  const isOwn = subject !== undefined || html !== undefined || text !== undefined || files.length > 0;
  if (template !== undefined && isOwn)
    throw new CliError(
      "usage",
      "Give either --template or the content: --subject with --html, --text or --file.",
    );
  if (isOwn && standing !== undefined) assertWhole(options, standing);
  if (isOwn) return { ...defined({ subject }), ...(await readContent({ html, text, files })) };
  if (template !== undefined) return { template, ...defined({ template_version_id: templateVersion }) };
  if (standing === undefined)
    throw new CliError("usage", "Give --template or the content: --subject with --html, --text or --file.");
  // The campaign's own content or template stays if it is not named, even if the template was deleted.
  if (standing.template === null || templateVersion === undefined) return {};
  return { template: standing.template, template_version_id: templateVersion };
}

/** A change replaces the whole content, so that a part of it would leave the rest empty. Throws a usage error. */
function assertWhole({ subject, html, text, file = [] }: PlanOptions, { name, template }: Campaign): void {
  const hasBody = html !== undefined || text !== undefined || file.length > 0;
  if (subject !== undefined && hasBody) return;
  throw new CliError(
    "usage",
    template === null
      ? `The content of "${name}" is replaced as a whole: give --subject with --html, --text or --file.`
      : `"${name}" sends the template "${template}", with its subject. To replace it, give --subject with --html, --text or --file.`,
  );
}
