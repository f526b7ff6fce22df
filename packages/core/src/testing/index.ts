/** Fakes and worlds for tests of the service, and of hosts that embed it. Nothing here sends or sleeps. */
export { createFixedClock, type FixedClock } from "./fixed-clock.ts";
export { createMemoryDns, type MemoryDns } from "./memory-dns.ts";
export { createMemoryHttpSender, type MemoryHttpSender } from "./memory-http-sender.ts";
export {
  acceptAll,
  answerAll,
  createMemoryMailer,
  type MailQuery,
  type MemoryInbox,
  type MemoryMailer,
} from "./memory-mailer.ts";
export {
  createWorld,
  type TestCallOptions,
  type TestWorkspace,
  type World,
  type WorldOptions,
} from "./world.ts";
