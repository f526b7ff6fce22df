import { createDomain } from "./create-domain.ts";
import { deleteDomain } from "./delete-domain.ts";
import { getDomain } from "./get-domain.ts";
import { knowsTrackingHost } from "./knows-tracking-host.ts";
import { listDomains } from "./list-domains.ts";
import { rotateDkim } from "./rotate-dkim.ts";
import { updateDomain } from "./update-domain.ts";
import { verifyDomain } from "./verify-domain.ts";

/** Sending domains of a workspace. */
export const domains = {
  create: createDomain,
  list: listDomains,
  get: getDomain,
  update: updateDomain,
  verify: verifyDomain,
  rotateDkim,
  delete: deleteDomain,
  knowsTrackingHost,
} as const;
