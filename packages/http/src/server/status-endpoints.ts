import { createHash, timingSafeEqual } from "node:crypto";
import { fieldError, ServiceError } from "@posthorn/core";
import { useCases } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";
import { headerOf, type WireReply, type WireRequest } from "../contract/wire-request.ts";
import { createOpenApi } from "../open-api/open-api.ts";
import { createDocsPage } from "../pages/docs-page.ts";
import {
  createReferenceScriptReply,
  plainReferencePath,
  type ReferenceProgram,
  referencePage,
  referenceScriptPath,
} from "../pages/reference-page.ts";
import { givenToken, tokenRequired } from "./callers/authenticate.ts";
import { type DocumentReply, documentReply } from "./replies/document-reply.ts";
import { htmlReply, jsonReply, textReply } from "./replies/plain-reply.ts";
import { readQuery } from "./requests/read-query.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

export interface StatusEndpoints {
  /** Finds the handler of a path without the base path (decisions §12); `undefined` for any other path. */
  find(request: WireRequest, path: string, query: string): (() => Promise<WireReply>) | undefined;
  /** Whether there is such a path, for whatever method. */
  has(path: string): boolean;
}

interface Parts {
  routes: readonly Route[];
  /** Writes the metrics in Prometheus' text format. */
  writeMetrics(): Promise<string>;
  /** Token that callers of `/metrics` must send; without one nobody is served. */
  metricsToken: string | undefined;
  /** Program that renders the reference; without one, `/docs` is the plain page, too. */
  reference: ReferenceProgram | undefined;
  /** Whether the host has a login of its own. */
  hostLogin: boolean;
}

/** Creates `/healthz`, `/readyz`, `/metrics`, `/tracking-host`, `/openapi.json`, and `/docs` with the files it loads. */
export function createStatusEndpoints(posthorn: ServedPosthorn, parts: Parts): StatusEndpoints {
  const { routes, metricsToken, reference, hostLogin } = parts;
  // Created on first request, as most processes never need it; then kept as bytes, because creating it takes
  // milliseconds.
  const { workspace, baseUrl } = posthorn.config;
  const described = { singleWorkspace: workspace !== undefined, hostLogin, baseUrl };
  const openApi = once(() => createOpenApi(routes, described));
  const document = once(() => documentReply(jsonReply(openApi())));
  const plain = once(() =>
    documentReply(htmlReply({ html: createDocsPage(openApi()), policy: ["img-src data:"] })),
  );
  const docs = reference ? once(() => documentReply(referencePage())) : plain;
  const endpoints: Record<string, (request: WireRequest, query: string) => Promise<WireReply>> = {
    "/healthz": async () => jsonReply({ status: "ok" }),
    async "/readyz"() {
      await posthorn.ping();
      return jsonReply({ status: "ready" });
    },
    async "/metrics"(request) {
      assertMetricsToken(request, metricsToken);
      return textReply(await parts.writeMetrics(), metricsType);
    },
    "/tracking-host": (request, query) => tellTrackingHost(posthorn, request, query),
    "/openapi.json": async (request) => document()(request),
    "/docs": async (request) => docs()(request),
    [plainReferencePath]: async (request) => plain()(request),
    ...(reference && referenceScript(reference)),
  };
  const has = (path: string): boolean => Object.hasOwn(endpoints, path);
  return {
    has,
    find(request, path, query) {
      const { method } = request;
      if ((method !== "GET" && method !== "HEAD") || !has(path)) return undefined;
      const endpoint = endpoints[path];
      return endpoint && (() => endpoint(request, query));
    },
  };
}

/** Reads the program of the reference on first request; a failure is not cached. */
function referenceScript(
  program: ReferenceProgram,
): Record<string, (request: WireRequest) => Promise<WireReply>> {
  let answer: DocumentReply | undefined;
  return {
    async [referenceScriptPath](request) {
      answer ??= await createReferenceScriptReply(program);
      return answer(request);
    },
  };
}

/** Answers whether a proxy should request a certificate for the name in `?domain=`; throws `not_found` if not. */
async function tellTrackingHost(
  posthorn: ServedPosthorn,
  request: WireRequest,
  query: string,
): Promise<WireReply> {
  const { domain } = readQuery(query);
  if (domain === undefined) throw fieldError("domain", "is required");
  const client = { ip: request.ip, userAgent: headerOf(request, "user-agent") ?? "" };
  const call = { caller: { kind: "anonymous" }, client, workspaceId: undefined } as const;
  const host = domain.slice(0, 254);
  if (!(await posthorn.execute(useCases.domains.knowsTrackingHost, { host }, call)))
    throw new ServiceError("not_found", { message: "This is not a verified tracking host." });
  return jsonReply({ status: "verified" });
}

/** Media type of Prometheus' text format. */
export const metricsType = "text/plain; version=0.0.4";

/** Throws `not_found` if no token is configured, and `unauthenticated` for a wrong one. */
function assertMetricsToken(request: WireRequest, token: string | undefined): void {
  if (token === undefined) {
    const message = "Metrics are shown to callers with a token, and none is configured.";
    throw new ServiceError("not_found", { message });
  }
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const given = givenToken(request);
  if (given === undefined || !timingSafeEqual(digest(given), digest(token)))
    throw tokenRequired("the token configured for metrics");
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
