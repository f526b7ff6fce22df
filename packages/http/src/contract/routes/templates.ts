import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { emailWire } from "../wire/emails.ts";
import { noContent } from "../wire/schemas.ts";
import {
  previewWire,
  stylesheetWire,
  templateDetailsWire,
  templateWire,
  versionDetailsWire,
  versionWire,
} from "../wire/templates.ts";

const { templates, templateVersions, stylesheets } = useCases;

const templatesPath = "/workspaces/current/templates";
const versionPath = `${templatesPath}/{templateId}/versions/{versionId}` as const;
const stylesheetsPath = "/workspaces/current/stylesheets";

// Maximum body size: html and text of 512 KiB each, with JSON escapes.
const maxBytes = 4 * 1024 * 1024;
const templateId = { id: "templateId" } as const;
const stylesheetId = { id: "stylesheetId" } as const;

/** Routes of templates, their versions, and stylesheets (service.md; decisions §5). */
export const templateRoutes = [
  route(`POST ${templatesPath}`, templates.create, {
    summary: "Create a template with its first version",
    status: 201,
    maxBytes,
    reply: templateWire,
  }),
  route(`GET ${templatesPath}`, templates.list, {
    summary: "List templates",
    pagesFrom: 1,
    envelope: "page",
    reply: templateWire,
  }),
  route(`GET ${templatesPath}/{id}`, templates.get, {
    summary: "Read a template with its active version",
    params: templateId,
    reply: templateDetailsWire,
  }),
  route(`PUT ${templatesPath}/{id}`, templates.update, {
    summary: "Change a template",
    params: templateId,
    reply: templateWire,
  }),
  route(`DELETE ${templatesPath}/{id}`, templates.delete, {
    summary: "Delete a template",
    params: templateId,
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route(`GET ${templatesPath}/{templateId}/versions`, templateVersions.list, {
    summary: "List a template's versions",
    envelope: "page",
    reply: versionWire,
  }),
  route(`POST ${templatesPath}/{templateId}/versions`, templateVersions.create, {
    summary: "Create a version",
    status: 201,
    maxBytes,
    reply: versionWire,
  }),
  route(`GET ${versionPath}`, templateVersions.get, {
    summary: "Read a version",
    reply: versionDetailsWire,
  }),
  route(`PUT ${versionPath}`, templateVersions.update, {
    summary: "Change a version",
    maxBytes,
    reply: versionDetailsWire,
  }),
  route(`DELETE ${versionPath}`, templateVersions.delete, {
    summary: "Delete a version",
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route(`POST ${templatesPath}/{templateId}/activate/{versionId}`, templateVersions.activate, {
    summary: "Activate a version",
    reply: templateWire,
  }),
  route(`POST ${versionPath}/preview`, templateVersions.preview, {
    summary: "Preview a version",
    maxBytes,
    reply: previewWire,
  }),
  route(`POST ${versionPath}/test`, templateVersions.test, {
    summary: "Send a version as a test",
    status: 202,
    maxBytes,
    reply: emailWire,
  }),
  route(`POST ${stylesheetsPath}`, stylesheets.create, {
    summary: "Create a stylesheet",
    status: 201,
    maxBytes,
    reply: stylesheetWire,
  }),
  route(`GET ${stylesheetsPath}`, stylesheets.list, {
    summary: "List stylesheets",
    pagesFrom: 1,
    envelope: "page",
    reply: stylesheetWire,
  }),
  route(`GET ${stylesheetsPath}/{id}`, stylesheets.get, {
    summary: "Read a stylesheet",
    params: stylesheetId,
    reply: stylesheetWire,
  }),
  route(`PUT ${stylesheetsPath}/{id}`, stylesheets.update, {
    summary: "Change a stylesheet",
    maxBytes,
    params: stylesheetId,
    reply: stylesheetWire,
  }),
  route(`DELETE ${stylesheetsPath}/{id}`, stylesheets.delete, {
    summary: "Delete a stylesheet",
    params: stylesheetId,
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
] as const;
