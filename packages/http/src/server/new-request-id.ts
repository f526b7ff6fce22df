import { createUuidSource } from "@posthorn/core/internal";

const newUuid = createUuidSource();

/** Returns the id of a request that has none: as all ids, a UUID of version 7, which sorts by time (decisions §1). */
export const newRequestId = (): string => newUuid(Date.now());
