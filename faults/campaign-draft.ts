import type { FaultWorld } from "./open-fault-world.ts";

/** Number of recipients added per call. */
const piece = 5_000;

/** Creates a campaign with that many recipients; returns its id. */
export async function draftCampaign(
  { posthorn, workspaceId }: Pick<FaultWorld, "posthorn" | "workspaceId">,
  recipients: number,
): Promise<number> {
  const { campaigns } = posthorn.workspace(workspaceId);
  const says = { from: "shop@example.com", subject: "{{n}}", text: "x" };
  const { id: campaignId } = await campaigns.create({ name: "Spring", ...says });
  for (let from = 0; from < recipients; from += piece) {
    const people = Array.from({ length: Math.min(piece, recipients - from) }, (_, index) => ({
      to: `person${from + index}@example.com`,
      templateData: { n: String(from + index) },
    }));
    await campaigns.addRecipients({ campaignId, recipients: people });
  }
  return campaignId;
}
