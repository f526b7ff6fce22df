import { checkSuppressions } from "./check-suppressions.ts";
import { createSuppression } from "./create-suppression.ts";
import { deleteSuppression } from "./delete-suppression.ts";
import { getSuppression } from "./get-suppression.ts";
import { exportSuppressions } from "./import/export-suppressions.ts";
import { importSuppressions } from "./import/import-suppressions.ts";
import { listSuppressions } from "./list-suppressions.ts";

/** Addresses and domains that are not sent to. */
export const suppressions = {
  list: listSuppressions,
  get: getSuppression,
  create: createSuppression,
  delete: deleteSuppression,
  check: checkSuppressions,
  import: importSuppressions,
  export: exportSuppressions,
} as const;
