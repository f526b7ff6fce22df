import { expect, test } from "vitest";
import { openVerbWorld } from "../../../test/verb-world.ts";

test("the question before a start names the number of recipients, and what a check of them finds", async () => {
  const { world, shop, run, questions } = await openVerbWorld();
  const { campaigns, suppressions } = world.posthorn.workspace(shop.id);
  await suppressions.create({ email: "s@example.com" });
  const make = async (
    name: string,
    fields: {
      text: string;
      html?: string;
      onMissing?: "stop";
      pace?: { perHour: number };
      unsubscribe?: { list: string };
    },
    to: string[],
  ) => {
    const { id: campaignId } = await campaigns.create({ name, subject: "Hi", ...fields });
    if (to.length > 0)
      await campaigns.addRecipients({ campaignId, recipients: to.map((email) => ({ to: email })) });
  };
  await make("Fine", { text: "Hi" }, ["a@example.com"]);
  await make("Gaps", { text: "{{name}}" }, ["a@example.com", "b@example.com", "s@example.com"]);
  await make("Stops", { text: "{{name}}", onMissing: "stop" }, ["a@example.com", "b@example.com"]);
  await make(
    "Slow",
    { text: "Hi", pace: { perHour: 1 } },
    Array.from({ length: 30 }, (_, at) => `${at}@example.com`),
  );
  await make("Linkless", { text: "Hi", html: "<p>Hi</p>", unsubscribe: { list: "news" } }, ["a@example.com"]);
  for (const name of ["Fine", "Gaps", "Stops", "Slow", "Linkless"]) await run("campaigns", "start", name);
  expect(questions).toEqual([
    'Start "Fine" to 1 recipient? A check of the list found nothing against it.',
    'Start "Gaps" to 3 recipients? A check of the list found: 3 without a value for name (skipped); 1 suppressed (skipped).',
    'Start "Stops" to 2 recipients? A check of the list found: 2 without a value for name (where it pauses).',
    `Start "Slow" to 30 recipients? A check of the list found nothing against it. With the plan's limits, the pace and the ramp it takes at least 2 days.`,
    'Start "Linkless" to 1 recipient? A check of the list found nothing against it. Note: The html has no link to unsubscribe: add {{unsubscribe_url}}. Note: The link to unsubscribe is not https, as the service\'s base URL is not: mailbox providers show no button for it.',
  ]);
});
