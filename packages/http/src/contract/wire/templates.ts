import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type Template = OutputOf<Core["templates"]["create"]>;
type TemplateDetails = OutputOf<Core["templates"]["get"]>;
type Version = OutputOf<Core["templateVersions"]["list"]>["items"][number];
type VersionDetails = OutputOf<Core["templateVersions"]["get"]>;
type Preview = OutputOf<Core["templateVersions"]["preview"]>;
type Stylesheet = OutputOf<Core["stylesheets"]["get"]>;

const values = z.record(z.string(), z.unknown());

const templateFields = {
  id: uuid,
  name: z.string(),
  description: z.string(),
  active_version_id: uuid,
  default_language: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** `Template` (service.md, Template; decisions §5). */
export const templateWire = wire(named("Template", z.object(templateFields)), (template: Template) => ({
  id: template.id,
  name: template.name,
  description: template.description,
  active_version_id: template.activeVersionId,
  default_language: template.defaultLanguage,
  created_at: time(template.createdAt),
  updated_at: time(template.updatedAt),
}));

/** A template with the content of its active version. */
export const templateDetailsWire = wire(
  named(
    "TemplateDetails",
    z.object({
      ...templateFields,
      version_number: integer,
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      sample_data: values,
      note: z.string(),
    }),
  ),
  (template: TemplateDetails) => ({
    ...templateWire.from(template),
    version_number: template.versionNumber,
    subject: template.subject,
    html: template.html,
    text: template.text,
    sample_data: template.sampleData,
    note: template.note,
  }),
);

const versionFields = {
  id: uuid,
  version_number: integer,
  subject: z.string(),
  note: z.string(),
  is_active: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A version as listed (decisions §5). */
export const versionWire = wire(named("TemplateVersion", z.object(versionFields)), (version: Version) => ({
  id: version.id,
  version_number: version.versionNumber,
  subject: version.subject,
  note: version.note,
  is_active: version.isActive,
  created_at: time(version.createdAt),
  updated_at: time(version.updatedAt),
}));

/** A version with its content. */
export const versionDetailsWire = wire(
  named(
    "TemplateVersionDetails",
    z.object({
      ...versionFields,
      template_id: uuid,
      html: z.string(),
      text: z.string(),
      sample_data: values,
    }),
  ),
  (version: VersionDetails) => ({
    ...versionWire.from(version),
    template_id: version.templateId,
    html: version.html,
    text: version.text,
    sample_data: version.sampleData,
  }),
);

/** A rendered version (decisions §5). */
export const previewWire = wire(
  named(
    "Preview",
    z.object({ subject: z.string(), html: z.string(), text: z.string(), missing: z.array(z.string()) }),
  ),
  ({ subject, html, text, missing }: Preview) => ({ subject, html, text, missing: [...missing] }),
);

/** `Stylesheet` (service.md, Stylesheet; decisions §5). */
export const stylesheetWire = wire(
  named(
    "Stylesheet",
    z.object({ id: uuid, name: z.string(), css: z.string(), created_at: timestamp, updated_at: timestamp }),
  ),
  (stylesheet: Stylesheet) => ({
    id: stylesheet.id,
    name: stylesheet.name,
    css: stylesheet.css,
    created_at: time(stylesheet.createdAt),
    updated_at: time(stylesheet.updatedAt),
  }),
);
