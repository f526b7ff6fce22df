/** Exports for this project's own packages beyond the public API. They may change with any version. */
export { assertSchema } from "./calls/input/assert-schema.ts";
export { parseInput, unknownField } from "./calls/input/parse-input.ts";
export { maxUnknownFields } from "./calls/input/refuse-unfit.ts";
export { takesTime } from "./calls/input/time-fields.ts";
export { leaveToOthers } from "./calls/leave-to-others.ts";
export { checkStylesheet, checkTemplate } from "./content/check-before-push.ts";
export { type TemplateField, templateFieldsOf } from "./content/rendering/template-fields.ts";
export { joinParts } from "./content/rendering/text-parts.ts";
export { domainProblems } from "./domains/rules/verdict.ts";
export { errorMessages } from "./errors.ts";
export { webhookEventTypes } from "./events.ts";
export { withAddressColumn } from "./files/address-column.ts";
export type { LineForm, ReadLine } from "./files/line-form.ts";
export { readLines } from "./files/read-lines.ts";
export { type ListPart, splitListFile } from "./files/split-list-file.ts";
export { clientNetwork } from "./identity/rules/client-network.ts";
export { hasPassword } from "./identity/users/has-password.ts";
export { type ExplainedFinding, type ExplainedReport, explainReport } from "./inbound/explain-report.ts";
export { bounceCategories } from "./inbound/rules/bounces/bounce-categories.ts";
export { createAttachment } from "./mail/attachments/attachment-content.ts";
export { permissions } from "./permissions.ts";
export {
  checkOptions,
  flagCheck,
  functionCheck,
  isText,
  msCheck,
  type OptionCheck,
  type OptionChecks,
} from "./ports/check-options.ts";
export { maxTimerMs } from "./ports/clock.ts";
export { silentLogger } from "./ports/logger.ts";
export { type OptionNames, refuseUnknownOptions } from "./ports/refuse-unknown-options.ts";
export { campaignOutcomes, emailStatuses } from "./ports/storage.ts";
export { createTurns, type Holder } from "./ports/turns.ts";
export { type Optional, withDefaults } from "./ports/with-defaults.ts";
export { aliveMs } from "./queue/heartbeat.ts";
export { laneShares } from "./queue/order/plan-claim.ts";
export { beginningOf } from "./rules/beginning-of.ts";
export { inexactFault } from "./rules/inexact-numbers.ts";
export { isJsonObject } from "./rules/is-json-object.ts";
export { JsonError, parseJson } from "./rules/json.ts";
export { nearestName } from "./rules/nearest-name.ts";
export { oneLine } from "./rules/one-line.ts";
export { createSecretBox, secretKeyFault } from "./rules/secret-box.ts";
export { snakeCase } from "./rules/snake-case.ts";
export { createUuidSource } from "./rules/uuid.ts";
export { createDelivery, type Delivery } from "./service/create-delivery.ts";
export { useCases } from "./use-cases.ts";
