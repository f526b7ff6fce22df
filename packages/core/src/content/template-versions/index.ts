import { activateVersion } from "./activate-version.ts";
import { createVersion } from "./create-version.ts";
import { deleteVersion } from "./delete-version.ts";
import { getVersion } from "./get-version.ts";
import { listVersions } from "./list-versions.ts";
import { previewVersion } from "./preview-version.ts";
import { testVersion } from "./test-version.ts";
import { updateVersion } from "./update-version.ts";

/** Versions of templates, each with its content. */
export const templateVersions = {
  create: createVersion,
  list: listVersions,
  get: getVersion,
  update: updateVersion,
  delete: deleteVersion,
  activate: activateVersion,
  preview: previewVersion,
  test: testVersion,
} as const;
