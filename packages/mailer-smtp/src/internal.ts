/** What our own packages share with the mailers beyond what a host uses. It may change with any version. */
export { composeMessage } from "./compose/compose-message.ts";
export { createServerProbe, type ServerProbeOptions } from "./create-server-probe.ts";
