/** The storage port, and what of core's own a storage is made with. For authors of a storage. */
export { afterPatience } from "./ports/after-patience.ts";
export {
  checkOptions,
  clockCheck,
  flagCheck,
  functionCheck,
  hasMethods,
  isText,
  loggerCheck,
  type OptionChecks,
  textCheck,
} from "./ports/check-options.ts";
export { type Clock, maxTimerMs } from "./ports/clock.ts";
export type { Logger } from "./ports/logger.ts";
export { silentLogger, unfailingLogger } from "./ports/logger.ts";
export { sparingLogger } from "./ports/sparing-logger.ts";
export * from "./ports/storage.ts";
export { createTurns, type Holder, type Turns } from "./ports/turns.ts";
export { type Optional, withDefaults } from "./ports/with-defaults.ts";
export { addressKey } from "./rules/address-key.ts";
export { domainOfMailbox } from "./rules/domain-of-mailbox.ts";
