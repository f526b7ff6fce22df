import { errorMessages } from "@posthorn/core/internal";
import { createOpenApi, type Route, routes } from "@posthorn/http";
import { credentialsFor, errorStatuses } from "@posthorn/http/internal";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const document = createOpenApi(routes);

type Schema = z.core.JSONSchema.JSONSchema;
type Operation = (typeof document.paths)[string][string];

const components = document.components.schemas as Record<string, unknown>;

/** Returns the names of the document's schemas that a text refers to, directly or not. */
function componentsIn(text: string, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name = ""] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (name in found) continue;
    found[name] = components[name];
    componentsIn(JSON.stringify(found[name]), found);
  }
  return found;
}

const validators = new Map<string, z.ZodType>();

/** Returns the document's schema with resolvable references, for validation. */
function validatorOf(schema: unknown): z.ZodType {
  const own = JSON.stringify(schema);
  const text = JSON.stringify({ ...(schema as object), $defs: componentsIn(own) });
  const validator =
    validators.get(own) ??
    z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Schema);
  validators.set(own, validator);
  return validator;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);
const routeOf = (signature: string): Route | undefined =>
  routes.find((route) => `${route.method} /api/v1${route.path}` === signature);

/** Returns a response of an operation, with its reference resolved. */
function answerOf(operation: Operation, status: string) {
  const said = operation.responses[status];
  if (said === undefined) throw new TypeError(`no ${status}`);
  return "$ref" in said ? document.components.responses[said.$ref.split("/").at(-1) ?? ""] : said;
}

describe.each(operations)("%s", (signature, operation) => {
  test("states the accepted credentials", () => {
    const route = routeOf(signature);
    const schemes = {
      none: [],
      jwt: [["jwt"]],
      "jwt+workspace": [["jwt", "workspace"]],
      api_key: [["api_key"]],
      "jwt+workspace or api_key": [["api_key"], ["jwt", "workspace"]],
    };
    const wanted = route === undefined ? [["jwt"], ["stream_token"]] : schemes[credentialsFor(route)];
    const said = operation.security.map((each) => Object.keys(each).toSorted());
    expect(said.toSorted()).toEqual(wanted);
    for (const name of said.flat()) expect(Object.keys(document.components.securitySchemes)).toContain(name);
  });

  test("lists every refusal that its kind of call can have", () => {
    const route = routeOf(signature);
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(["400", "414", "500", "503"]));
    if (operation.security.length > 0) expect(statuses).toContain("401");
    if (route?.path.startsWith("/workspaces/current") || signature.includes("/admin/"))
      expect(statuses).toContain("403");
    if (route !== undefined && Object.keys(route.params).length > 0) expect(statuses).toContain("404");
    if (operation.requestBody !== undefined) expect(statuses).toEqual(expect.arrayContaining(["413", "415"]));
  });

  test("has examples that match its schemas", () => {
    const content = operation.requestBody?.content["application/json"];
    const isFile = operation.requestBody?.content["*/*"] !== undefined;
    if (operation.requestBody !== undefined && !isFile) {
      expect(content?.example).toBeDefined();
      expect(validatorOf(content?.schema).safeParse(content?.example).error?.issues ?? []).toEqual([]);
    }
    for (const status of Object.keys(operation.responses)) {
      const answer = answerOf(operation, status)?.content?.["application/json"];
      if (answer === undefined) {
        expect(Number(status)).toBeLessThan(400);
        continue;
      }
      const examples = [
        ...(answer.example === undefined ? [] : [answer.example]),
        ...Object.values(answer.examples ?? {}).map((each) => (each as { value: unknown }).value),
      ];
      expect([status, examples.length > 0]).toEqual([status, true]);
      const validator = validatorOf(answer.schema);
      for (const example of examples)
        expect([status, validator.safeParse(example).error?.issues ?? []]).toEqual([status, []]);
    }
  });

  test("names its refusals by codes that have that status", () => {
    const own = routeOf(signature)?.statuses ?? {};
    for (const status of Object.keys(operation.responses).filter((each) => Number(each) >= 400))
      for (const code of Object.keys(
        answerOf(operation, status)?.content?.["application/json"]?.examples ?? {},
      )) {
        const ofUrl = status === "414" ? { payload_too_large: 414 } : {};
        const known = { ...errorStatuses, ...own, ...ofUrl } as Record<string, number>;
        expect([code, known[code]]).toEqual([code, Number(status)]);
      }
  });

  test("documents each parameter of its path", () => {
    const inPath = [...signature.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const said = (operation.parameters ?? []).filter((each) => each.in === "path");
    expect(said.map(({ name, required }) => [name, required])).toEqual(inPath.map((name) => [name, true]));
  });
});

// decisions §1, the table of errors, typed by hand; its codes of features that are not there yet are left out
test("the statuses of the codes match the table", () => {
  const table: Record<number, string> = {
    400: "validation_failed workspace_required owner_role_not_assignable owner_role_immutable owner_not_removable invitation_not_pending invitation_expired two_factor_not_set_up invalid_two_factor_code domain_not_registrable",
    401: "unauthenticated api_key_expired invalid_credentials two_factor_required",
    403: "not_a_member forbidden administrator_required email_not_verified invitation_for_another_user registration_closed invitation_required plan_limit_reached suppression_protected",
    404: "not_found content_unavailable",
    405: "method_not_allowed",
    409: "already_member invitation_exists template_name_taken stylesheet_name_taken plan_name_taken plan_in_use active_version email_taken idempotency_key_reused default_plan two_factor_already_enabled owns_workspaces not_retryable webhook_disabled not_cancellable domain_taken dedupe_key_spent smtp_server_name_taken campaign_state_conflict campaign_not_editable password_not_set external_id_taken",
    413: "payload_too_large attachment_too_large message_too_large",
    415: "unsupported_media_type",
    422: "attachment_not_found template_data_missing template_render_failed sender_missing workspace_not_trusted domain_not_verified dkim_not_published all_recipients_suppressed limit_never_opens deadline_passed batch_too_large campaign_empty no_smtp_server",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
  };
  const rows = Object.entries(table).flatMap(([status, codes]) =>
    codes.split(" ").map((code) => [code, Number(status)]),
  );
  expect(Object.entries(errorStatuses).toSorted()).toEqual(rows.toSorted());
  expect(Object.keys(errorStatuses).toSorted()).toEqual(Object.keys(errorMessages).toSorted());
});
