export { isPublicAddress } from "../rules/public-address.ts";
export { addressPatienceMs } from "./address-patience.ts";
export { createHostResolver, type HostResolver, type HostResolverOptions } from "./create-host-resolver.ts";
export { guardedLookup } from "./guarded-lookup.ts";
export { limitHandshakes } from "./limit-handshakes.ts";
export { LookupFault, type LookupReason } from "./lookup-fault.ts";
export type { ResolvedAddress } from "./resolved-address.ts";
