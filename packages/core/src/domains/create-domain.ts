import { z } from "zod";
import { domainPattern } from "../calls/input/text-patterns.ts";
import { type ReadContext, useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import { findLimits } from "../workspaces/plans/effective-plan.ts";
import { assertWithinLimit } from "../workspaces/plans/plan-limit.ts";
import { getWorkspaceOrThrow } from "../workspaces/workspace-view.ts";
import { assertSubdomains } from "./assert-subdomains.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, viewDomain } from "./domain-view.ts";
import { makePair, newKey } from "./new-key.ts";
import { parseSendingDomain } from "./parse-sending-domain.ts";
import { createOwnershipToken } from "./rules/dkim-names.ts";
import { nextCheckAt } from "./verification/domain-status.ts";

/** Of each algorithm, one key signs and one is published to succeed it. */
const algorithms = ["rsa-2048", "rsa-2048", "ed25519", "ed25519"] as const;

/**
 * Adds a sending domain, within the plan's `max_domains`. Returns the DNS records to publish, which are checked from a
 * minute later on, at growing intervals, for 30 days (platform.md P6).
 */
export const createDomain = useCase({
  access: "domains:write",
  refusals: ["domain_not_registrable", "domain_taken", "plan_limit_reached", "rate_limited"],
  locksWorkspace: true,
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(253, "is longer than 253 characters")
      .meta({ pattern: domainPattern })
      .describe(
        "The domain's name: one that can be registered, or a subdomain; at most 223 characters. International names are converted to punycode.",
      ),
    includeSubdomains: domainFields.includeSubdomains.default(false),
    returnPath: domainFields.returnPath.default("bounces"),
    tracking: domainFields.tracking.default(null),
    tls: domainFields.tls.default("opportunistic"),
  }),
  async prepare(context, { name, returnPath, tracking }) {
    const { runtime, config, workspace } = context;
    const parsed = await parseSendingDomain(name, config.webhooks.allowPrivate);
    if ("fault" in parsed) {
      const { fault, isRegistrable } = parsed;
      if (isRegistrable) throw fieldError("name", fault);
      const details = [{ path: "name", message: fault }];
      throw new ServiceError("domain_not_registrable", { message: `${fault}.`, details });
    }
    const subdomains = { returnPath, tracking: tracking ?? undefined };
    assertSubdomains({ ...parsed, ...subdomains }, ["returnPath", "tracking"], config.trackingHost);
    await reserveAttempt(context, guardOf.domainChanges(workspace.id));
    // RSA keys take Node's threads some 0.2 s each: workspaces take turns, and nothing is made for a refused name.
    const pairs = await context.piece(async () => {
      await assertRoom(context, parsed.name);
      return Promise.all(algorithms.map((algorithm) => makePair(runtime, algorithm)));
    });
    return { ...parsed, ...subdomains, pairs };
  },
  async run(
    { storage, workspace, runtime, config, now, emit },
    { includeSubdomains, tls },
    { name, organisation, returnPath, tracking, pairs },
  ): Promise<DomainView> {
    await assertRoom({ storage, workspace }, name);
    const domainId = runtime.newId();
    const domain = await storage.domains.insert({
      id: domainId,
      workspaceId: workspace.id,
      name,
      organisation,
      token: createOwnershipToken(),
      includeSubdomains,
      returnPath,
      tracking,
      tls,
      keys: pairs.map((pair, index) =>
        newKey(runtime, pair, { domainId, state: index % 2 === 0 ? "active" : "standby", now }),
      ),
      nextCheckAt: nextCheckAt({ status: "pending", createdAt: now }, runtime.queueClock.now(), 0),
      createdAt: now,
    });
    emit("domain.created", { metadata: { domain_id: domainId, name } });
    return viewDomain(domain, config, now);
  },
});

/** Throws `domain_taken`, or `plan_limit_reached`. The result stands as long as the workspace is locked. */
async function assertRoom(
  { storage, workspace }: Pick<ReadContext<"domains:write">, "storage" | "workspace">,
  name: string,
): Promise<void> {
  if ((await storage.domains.listNamed(workspace.id, [name])).length > 0)
    throw new ServiceError("domain_taken");
  const { planId } = await getWorkspaceOrThrow(storage, workspace.id);
  const { maxDomains } = await findLimits(storage, { planId });
  await assertWithinLimit("max_domains", maxDomains, async () => {
    const { total } = await storage.domains.list(workspace.id, { offset: 0, limit: 0 });
    return total;
  });
}
