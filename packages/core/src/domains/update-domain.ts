import { z } from "zod";
import { changesOf } from "../calls/changes-of.ts";
import { atLeastOne } from "../calls/input/at-least-one.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { assertSubdomains } from "./assert-subdomains.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, viewDomain } from "./domain-view.ts";

/** Ms from a change of the return path or the tracking host to the check of its records. */
const recheckMs = 60_000;

/** Changes a sending domain. The change applies from each e-mail's next delivery attempt on. */
export const updateDomain = useCase({
  access: "domains:write",
  input: z
    .strictObject({
      domainId: domainFields.domainId,
      includeSubdomains: domainFields.includeSubdomains.optional(),
      returnPath: domainFields.returnPath.optional(),
      tracking: domainFields.tracking.optional(),
      tls: domainFields.tls.optional(),
    })
    .apply(atLeastOne, "domainId"),
  async run(
    { storage, workspace, runtime, config, now, emit },
    { domainId, includeSubdomains, returnPath, tracking: given, tls },
  ): Promise<DomainView> {
    const before = orNotFound(await storage.domains.lock(workspace.id, domainId), "such domain");
    const tracking = given === undefined ? before.tracking : (given ?? undefined);
    const changes = changesOf(
      { ...before, tracking: before.tracking ?? null },
      {
        includeSubdomains: includeSubdomains ?? before.includeSubdomains,
        returnPath: returnPath ?? before.returnPath,
        tracking: tracking ?? null,
        tls: tls ?? before.tls,
      },
    );
    if (Object.keys(changes).length === 0) return viewDomain(before, config, now);
    const isReturnPathNew = returnPath !== undefined && returnPath !== before.returnPath;
    const isTrackingNew = tracking !== before.tracking;
    const moved = [
      ...(isReturnPathNew ? (["returnPath"] as const) : []),
      ...(isTrackingNew ? (["tracking"] as const) : []),
    ];
    const after = { name: before.name, returnPath: returnPath ?? before.returnPath, tracking };
    assertSubdomains(after, moved, config.trackingHost);
    const soon = runtime.queueClock.now() + recheckMs;
    const updated = await storage.domains.update(workspace.id, domainId, {
      ...(includeSubdomains !== undefined && { includeSubdomains }),
      ...(isReturnPathNew && { returnPath, returnPathVerified: false }),
      ...(isTrackingNew && { tracking, trackingVerified: false }),
      ...(moved.length > 0 && { nextCheckAt: Math.min(soon, before.nextCheckAt ?? soon) }),
      ...(tls !== undefined && { tls }),
      updatedAt: now,
    });
    emit("domain.updated", { metadata: { domain_id: domainId, changes } });
    return viewDomain(orNotFound(updated, "such domain"), config, now);
  },
});
