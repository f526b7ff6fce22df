import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { arrayOf, noContent } from "../wire/schemas.ts";
import { suppressionCheckWire, suppressionImportWire, suppressionWire } from "../wire/suppressions.ts";

const { suppressions } = useCases;

const path = "/workspaces/current/suppressions";

/** Routes of suppressions (platform.md P8). */
export const suppressionRoutes = [
  route(`GET ${path}`, suppressions.list, {
    summary: "List suppressions",
    envelope: "page",
    reply: suppressionWire,
  }),
  route(`POST ${path}`, suppressions.create, {
    summary: "Suppress an address or a domain",
    status: 201,
    otherwise: { status: 200, when: ({ isNew }) => !isNew },
    reply: suppressionWire,
  }),
  route(`POST ${path}/check`, suppressions.check, {
    summary: "Check which addresses are suppressed",
    reply: arrayOf(suppressionCheckWire),
  }),
  route(`POST ${path}/import`, suppressions.import, {
    summary: "Import suppressions from a file",
    reply: suppressionImportWire,
  }),
  route(`GET ${path}/export`, suppressions.export, {
    summary: "Export all suppressions",
    envelope: "file",
    secondFormat: {
      type: "application/x-ndjson",
      insteadOf: "text/csv",
      query: { name: "format", value: "ndjson" },
    },
    reply: noContent,
  }),
  route(`GET ${path}/{email}`, suppressions.get, { summary: "Read a suppression", reply: suppressionWire }),
  route(`DELETE ${path}/{email}`, suppressions.delete, {
    summary: "Remove a suppression",
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
] as const;
