import { cancelCampaign } from "./cancel-campaign.ts";
import { checkCampaign } from "./check-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { deleteCampaign } from "./delete-campaign.ts";
import { getCampaign } from "./get-campaign.ts";
import { listCampaigns } from "./list-campaigns.ts";
import { pauseCampaign } from "./pause-campaign.ts";
import { addCampaignRecipients } from "./recipients/add-campaign-recipients.ts";
import { importCampaignRecipients } from "./recipients/import-campaign-recipients.ts";
import { listCampaignRecipients } from "./recipients/list-campaign-recipients.ts";
import { resumeCampaign } from "./resume-campaign.ts";
import { startCampaign } from "./start-campaign.ts";
import { testCampaign } from "./test-campaign.ts";
import { updateCampaign } from "./update-campaign.ts";

/** Campaigns. */
export const campaigns = {
  create: createCampaign,
  list: listCampaigns,
  get: getCampaign,
  update: updateCampaign,
  delete: deleteCampaign,
  addRecipients: addCampaignRecipients,
  importRecipients: importCampaignRecipients,
  listRecipients: listCampaignRecipients,
  check: checkCampaign,
  test: testCampaign,
  start: startCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  cancel: cancelCampaign,
} as const;
