import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import {
  addedRecipientsWire,
  campaignCheckWire,
  campaignRecipientWire,
  campaignWire,
} from "../wire/campaigns.ts";
import { emailWire } from "../wire/emails.ts";
import { noContent } from "../wire/schemas.ts";

const { campaigns } = useCases;

const path = "/workspaces/current/campaigns";
const params = { id: "campaignId" } as const;
const reply = campaignWire;
/** Maximum body size: ten thousand recipients with a few values each, or a content with 10 MiB of files in base64. */
const maxBytes = 16 * 1024 * 1024;

/** Routes of campaigns (platform.md P9). */
export const campaignRoutes = [
  route(`POST ${path}`, campaigns.create, {
    summary: "Create a campaign",
    status: 201,
    maxBytes: 24 * 1024 * 1024,
    reply,
  }),
  route(`GET ${path}`, campaigns.list, { summary: "List campaigns", envelope: "page", reply }),
  route(`GET ${path}/{id}`, campaigns.get, { summary: "Read a campaign", params, reply }),
  route(`PUT ${path}/{id}`, campaigns.update, {
    summary: "Replace a campaign",
    params,
    maxBytes,
    reply,
  }),
  route(`DELETE ${path}/{id}`, campaigns.delete, {
    summary: "Delete a draft campaign",
    status: 204,
    envelope: "none",
    params,
    reply: noContent,
  }),
  route(`POST ${path}/{id}/recipients`, campaigns.addRecipients, {
    summary: "Add recipients",
    params,
    maxBytes,
    listFile: campaigns.importRecipients,
    reply: addedRecipientsWire,
  }),
  route(`GET ${path}/{id}/recipients`, campaigns.listRecipients, {
    summary: "List a campaign's recipients",
    envelope: "page",
    params,
    reply: campaignRecipientWire,
  }),
  route(`POST ${path}/{id}/check`, campaigns.check, {
    summary: "Check a campaign without sending",
    params,
    reply: campaignCheckWire,
  }),
  route(`POST ${path}/{id}/test`, campaigns.test, {
    summary: "Send a campaign to one address as a test",
    status: 202,
    params,
    reply: emailWire,
  }),
  route(`POST ${path}/{id}/start`, campaigns.start, {
    summary: "Start a campaign",
    params,
    reply,
  }),
  route(`POST ${path}/{id}/pause`, campaigns.pause, {
    summary: "Pause a campaign",
    params,
    reply,
  }),
  route(`POST ${path}/{id}/resume`, campaigns.resume, {
    summary: "Resume a paused campaign",
    params,
    reply,
  }),
  route(`POST ${path}/{id}/cancel`, campaigns.cancel, {
    summary: "Cancel a campaign",
    params,
    reply,
  }),
] as const;
