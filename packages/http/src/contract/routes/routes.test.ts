import { errorMessages, permissions } from "@posthorn/core/internal";
import { describe, expect, test } from "vitest";
import { credentialsFor } from "../../server/callers/authenticate.ts";
import { errorStatuses } from "../../server/replies/error-response.ts";
import { bindRoute } from "../../server/routing/bind-route.ts";
import { type Shape, shapeOf } from "../wire-names.ts";
import { routes } from "./index.ts";

/**
 * The contract, written down independently from service.md and decisions.md: signature, credentials, status, envelope.
 */
const contract = `
POST /auth/register | none | 201 success
POST /auth/login | none | 200 success
POST /auth/verify-email | none | 200 success
POST /auth/resend-verification | none | 202 success
POST /auth/forgot-password | none | 202 success
POST /auth/reset-password | none | 200 success
GET /users/me | jwt | 200 success
PUT /users/me | jwt | 200 success
PUT /users/me/password | jwt | 200 success
GET /workspaces | jwt | 200 page
POST /workspaces | jwt | 201 success
GET /workspaces/current | jwt+workspace | 200 success
PUT /workspaces/current | jwt+workspace | 200 success
DELETE /workspaces/current | jwt+workspace | 200 success
POST /workspaces/current/transfer-ownership | jwt+workspace | 200 success
GET /admin/users | jwt | 200 page
POST /admin/users | jwt | 201 success
GET /admin/users/{userId} | jwt | 200 success
POST /admin/users/{userId}/administrator | jwt | 200 success
DELETE /admin/users/{userId}/administrator | jwt | 200 success
GET /admin/users/{userId}/sessions | jwt | 200 page
DELETE /admin/users/{userId}/sessions | jwt | 200 success
GET /admin/workspaces/{id} | jwt | 200 success
POST /admin/workspaces/{id}/members | jwt | 201 success
GET /admin/plans/{id}/holders | jwt | 200 page
DELETE /admin/workspaces/{id}/plan | jwt | 204 none
DELETE /admin/users/{id}/plan | jwt | 204 none
GET /admin/workspaces | jwt | 200 page
PUT /admin/users-by-external-id/{externalId} | jwt | 200 success
PUT /admin/users/{userId}/external-id | jwt | 200 success
PUT /admin/workspaces-by-external-id/{externalId} | jwt | 200 success
DELETE /users/me | jwt | 200 success
DELETE /admin/users/{userId} | jwt | 200 success
POST /admin/workspaces/{id}/trust | jwt | 200 success
DELETE /admin/workspaces/{id}/trust | jwt | 200 success
GET /workspaces/current/members | jwt+workspace | 200 data
PUT /workspaces/current/members/{member_id} | jwt+workspace | 200 data
DELETE /workspaces/current/members/{member_id} | jwt+workspace | 204 none
POST /workspaces/current/invitations | jwt+workspace | 201 data
GET /workspaces/current/invitations | jwt+workspace | 200 data
DELETE /workspaces/current/invitations/{id} | jwt+workspace | 204 none
GET /invitations | jwt | 200 data
POST /invitations/accept | jwt | 200 data
POST /invitations/decline | jwt | 200 data
POST /invitations/{id}/accept | jwt | 200 data
POST /invitations/{id}/decline | jwt | 200 data
POST /workspaces/current/templates | jwt+workspace | 201 success
GET /workspaces/current/templates | jwt+workspace | 200 page
GET /workspaces/current/templates/{id} | jwt+workspace | 200 success
PUT /workspaces/current/templates/{id} | jwt+workspace | 200 success
DELETE /workspaces/current/templates/{id} | jwt+workspace | 204 none
GET /workspaces/current/templates/{templateId}/versions | jwt+workspace | 200 page
POST /workspaces/current/templates/{templateId}/versions | jwt+workspace | 201 success
GET /workspaces/current/templates/{templateId}/versions/{versionId} | jwt+workspace | 200 success
PUT /workspaces/current/templates/{templateId}/versions/{versionId} | jwt+workspace | 200 success
DELETE /workspaces/current/templates/{templateId}/versions/{versionId} | jwt+workspace | 204 none
POST /workspaces/current/templates/{templateId}/activate/{versionId} | jwt+workspace | 200 success
POST /workspaces/current/templates/{templateId}/versions/{versionId}/preview | jwt+workspace | 200 success
POST /workspaces/current/templates/{templateId}/versions/{versionId}/test | jwt+workspace | 202 success
POST /emails/send-template | api_key | 202 success
POST /emails/batch | api_key | 202 success
GET /emails/batches/{id} | api_key | 200 success
POST /emails/batches/{id}/cancel | api_key | 200 success
POST /emails/send | api_key | 202 success
GET /emails | api_key | 200 page
GET /emails/{id} | api_key | 200 success
POST /emails/{id}/cancel | api_key | 200 success
PATCH /emails/{id} | api_key | 200 success
GET /workspaces/current/emails | jwt+workspace | 200 page
GET /workspaces/current/emails/{id} | jwt+workspace | 200 success
PATCH /workspaces/current/emails/{id} | jwt+workspace | 200 success
POST /workspaces/current/emails/{id}/cancel | jwt+workspace | 200 success
POST /workspaces/current/emails/{id}/retry | jwt+workspace | 200 success
POST /workspaces/current/stylesheets | jwt+workspace | 201 success
GET /workspaces/current/stylesheets | jwt+workspace | 200 page
GET /workspaces/current/stylesheets/{id} | jwt+workspace | 200 success
PUT /workspaces/current/stylesheets/{id} | jwt+workspace | 200 success
DELETE /workspaces/current/stylesheets/{id} | jwt+workspace | 204 none
POST /admin/plans | jwt | 201 success
GET /admin/plans | jwt | 200 success
GET /admin/plans/{id} | jwt | 200 success
PUT /admin/plans/{id} | jwt | 200 success
DELETE /admin/plans/{id} | jwt | 200 success
PATCH /admin/plans/{id}/default | jwt | 200 success
POST /admin/workspaces/{id}/plan | jwt | 200 success
GET /admin/workspaces/{id}/plan | jwt | 200 success
POST /admin/users/{id}/plan | jwt | 200 success
GET /admin/users/{id}/plan | jwt | 200 success
GET /workspaces/current/plan | jwt+workspace | 200 data
GET /workspaces/current/settings | jwt+workspace | 200 data
PUT /workspaces/current/settings | jwt+workspace | 200 data
DELETE /workspaces/current/smtp-servers/{id} | jwt+workspace | 204 none
GET /workspaces/current/smtp-servers | jwt+workspace | 200 page
GET /workspaces/current/smtp-servers/{id} | jwt+workspace | 200 success
POST /workspaces/current/smtp-servers | jwt+workspace | 201 success
POST /workspaces/current/smtp-servers/{id}/test | jwt+workspace | 200 success
PUT /workspaces/current/smtp-servers/{id} | jwt+workspace | 200 success
GET /workspaces/current/audit-log | jwt+workspace | 200 page
GET /users/me/audit-log | jwt | 200 page
GET /admin/events | jwt | 200 page
GET /admin/events/position | jwt | 200 success
POST /users/me/2fa/setup | jwt | 200 success
GET /users/me/2fa/qr | jwt | 200 success
POST /attachments | api_key | 201 success
GET /attachments/{id} | api_key | 200 success
DELETE /attachments/{id} | api_key | 204 none
GET /workspaces/current/emails/{id}/attachments/{position} | jwt+workspace | 200 file
POST /users/me/2fa/verify | jwt | 200 success
POST /users/me/2fa/disable | jwt | 200 success
DELETE /admin/users/{userId}/2fa | jwt | 200 success
GET /users/me/sessions | jwt | 200 page
DELETE /users/me/sessions/{sessionId} | jwt | 200 success
POST /users/me/sessions/revoke-others | jwt | 200 success
POST /users/me/sessions/logout | jwt | 200 success
POST /inbound/{provider}/{token} | none | 200 success
POST /workspaces/current/inbound-endpoints | jwt+workspace | 201 success
GET /workspaces/current/inbound-endpoints | jwt+workspace | 200 page
DELETE /workspaces/current/inbound-endpoints/{id} | jwt+workspace | 204 none
POST /emails/inbound | api_key | 202 success
POST /workspaces/current/inbound | jwt+workspace or api_key | 202 success
GET /workspaces/current/inbound-reports | jwt+workspace | 200 page
GET /workspaces/current/inbound-reports/{id} | jwt+workspace | 200 success
POST /workspaces/current/webhooks | jwt+workspace | 201 success
GET /workspaces/current/webhooks | jwt+workspace | 200 success
GET /workspaces/current/webhooks/{id} | jwt+workspace | 200 success
PUT /workspaces/current/webhooks/{id} | jwt+workspace | 200 success
DELETE /workspaces/current/webhooks/{id} | jwt+workspace | 200 success
POST /workspaces/current/webhooks/{id}/rotate-secret | jwt+workspace | 200 success
POST /workspaces/current/webhooks/{id}/test | jwt+workspace | 202 success
GET /workspaces/current/webhooks/{id}/deliveries | jwt+workspace | 200 page
POST /workspaces/current/webhooks/{webhookId}/deliveries/{id}/redeliver | jwt+workspace | 202 success
POST /workspaces/current/deliveries/{id}/redeliver | jwt+workspace | 202 success
POST /workspaces/current/api-keys | jwt+workspace | 201 success
POST /workspaces/current/attachments | jwt+workspace | 201 success
POST /workspaces/current/campaigns | jwt+workspace | 201 success
GET /workspaces/current/campaigns | jwt+workspace | 200 page
GET /workspaces/current/campaigns/{id} | jwt+workspace | 200 success
PUT /workspaces/current/campaigns/{id} | jwt+workspace | 200 success
DELETE /workspaces/current/campaigns/{id} | jwt+workspace | 204 none
POST /workspaces/current/campaigns/{id}/recipients | jwt+workspace | 200 success
GET /workspaces/current/campaigns/{id}/recipients | jwt+workspace | 200 page
POST /workspaces/current/campaigns/{id}/check | jwt+workspace | 200 success
POST /workspaces/current/campaigns/{id}/test | jwt+workspace | 202 success
POST /workspaces/current/campaigns/{id}/start | jwt+workspace | 200 success
POST /workspaces/current/campaigns/{id}/pause | jwt+workspace | 200 success
POST /workspaces/current/campaigns/{id}/resume | jwt+workspace | 200 success
POST /workspaces/current/campaigns/{id}/cancel | jwt+workspace | 200 success
GET /workspaces/current/metrics | jwt+workspace | 200 success
GET /workspaces/current/emails/{id}/content | jwt+workspace | 200 success
GET /admin/queue | jwt | 200 success
POST /admin/queue/pause | jwt | 200 success
POST /admin/queue/resume | jwt | 200 success
POST /workspaces/current/recipients/erase | jwt+workspace | 202 success
GET /workspaces/current/recipients/{email}/export | jwt+workspace | 200 file
GET /workspaces/current/suppressions | jwt+workspace | 200 page
POST /workspaces/current/suppressions | jwt+workspace | 201 success
POST /workspaces/current/suppressions/check | jwt+workspace | 200 success
POST /workspaces/current/suppressions/import | jwt+workspace | 200 success
GET /workspaces/current/suppressions/export | jwt+workspace | 200 file
GET /workspaces/current/suppressions/{email} | jwt+workspace | 200 success
DELETE /workspaces/current/suppressions/{email} | jwt+workspace | 204 none
GET /workspaces/current/api-keys | jwt+workspace | 200 page
DELETE /workspaces/current/api-keys/{id} | jwt+workspace | 200 success
POST /workspaces/current/domains | jwt+workspace | 201 success
GET /workspaces/current/domains | jwt+workspace | 200 page
GET /workspaces/current/domains/{id} | jwt+workspace | 200 success
PUT /workspaces/current/domains/{id} | jwt+workspace | 200 success
POST /workspaces/current/domains/{id}/verify | jwt+workspace | 200 success
POST /workspaces/current/domains/{id}/rotate-dkim | jwt+workspace | 200 success
DELETE /workspaces/current/domains/{id} | jwt+workspace | 204 none
`;

describe("the route table", () => {
  test("matches the contract", () => {
    const table = routes.map(
      (route) => `${route.signature} | ${credentialsFor(route)} | ${route.status} ${route.envelope}`,
    );
    expect(table.toSorted()).toEqual(contract.trim().split("\n").toSorted());
  });

  test("has no duplicates", () => {
    expect(new Set(routes.map(({ signature }) => signature)).size).toBe(routes.length);
  });

  test.each(routes.map((route) => [route.signature, route] as const))("%s can be bound", (_, route) => {
    expect(() => bindRoute(route)).not.toThrow();
  });

  test.each(routes.map((route) => [route.signature, route] as const))(
    "%s refuses unknown fields",
    (_, route) => {
      expect(openObjects(shapeOf(route.useCase.input))).toBe(0);
    },
  );

  test("requires a role everywhere below /workspaces/current", () => {
    const below = routes.filter(({ path }) => path.startsWith("/workspaces/current"));
    expect(below.filter(({ access }) => !Object.hasOwn(permissions, access))).toEqual([]);
  });

  test("requires an administrator everywhere below /admin", () => {
    const below = routes.filter(({ path }) => path.startsWith("/admin"));
    expect(below.filter(({ access }) => access !== "administrator")).toEqual([]);
  });
});

test("every error code has a status", () => {
  expect(Object.keys(errorStatuses).toSorted()).toEqual(Object.keys(errorMessages).toSorted());
});

/** Counts the objects in a schema that accept unknown fields. */
function openObjects(shape: Shape): number {
  if (shape.kind === "array") return openObjects(shape.element);
  if (shape.kind === "choice") return shape.options.reduce((sum, option) => sum + openObjects(option), 0);
  if (shape.kind !== "object") return 0;
  const inside = [...shape.fields.values()].reduce((sum, field) => sum + openObjects(field.shape), 0);
  return inside + (shape.strict ? 0 : 1);
}
