/** Shared between our own packages, beyond what hosts use. It may change in any version. */
export { composeMessage } from "./compose/compose-message.ts";
export { createServerProbe, type ServerProbeOptions } from "./create-server-probe.ts";
export { keyPairFault } from "./smtp/settings/certificate-faults.ts";
