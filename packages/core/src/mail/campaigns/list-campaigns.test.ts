import { expect, test } from "vitest";
import { make, openCampaignWorldForEach, own } from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

test.each(["cafe\u0301", "caf\u00e9"])(
  "finds a campaign's name with its accents in any form: %j",
  async (q) => {
    const { campaignId } = await make(0, { name: "Cafe\u0301" });
    await make(0, { name: "Cafe" });
    expect((await own().list({ q })).items).toMatchObject([{ id: campaignId }]);
  },
);
