import { tenantsPart } from "../rules/routes.ts";

/** Limits the total bytes in use at the same time. */
export interface ByteRoom {
  /**
   * Takes the bytes, or returns a promise until they fit. `tenant` is the workspace whose own mail server may decide how
   * long they are used.
   */
  enter(bytes: number, tenant?: number): Promise<void> | undefined;
  leave(bytes: number, tenant?: number): void;
}

interface User {
  bytes: number;
  tenant: number | undefined;
  go: () => void;
}

/** Fraction (1 / `smallPart`) of the room up to which bytes are not counted. The number of users is limited elsewhere. */
const smallPart = 1024;
/** Fraction (1 / `tenantPart`) of the room that one tenant may use with more than one e-mail. */
const tenantPart = 8;

/**
 * Creates a room for so many bytes. All tenants together use at most a part of it, so that those who stall delay no
 * e-mail on the operator's server, and few of others. A user always fits if no other of its kind, the operator or
 * tenants, has counted bytes: the capacity may then be exceeded by that one. Users of one kind enter in the order of
 * arrival, except that nobody waits behind a tenant who has used up the share of one.
 */
export function createByteRoom(capacity: number): ByteRoom {
  const isSmall = (bytes: number): boolean => bytes <= capacity / smallPart;
  let taken = 0;
  let takenByTenants = 0;
  const byTenant = new Map<number, number>();
  let waiting: User[] = [];

  const take = (bytes: number, tenant: number | undefined): void => {
    taken += bytes;
    if (tenant === undefined) return;
    takenByTenants += bytes;
    const sum = (byTenant.get(tenant) ?? 0) + bytes;
    if (sum === 0) byTenant.delete(tenant);
    else byTenant.set(tenant, sum);
  };
  const exceedsShare = ({ bytes, tenant = -1 }: User): boolean => {
    const own = byTenant.get(tenant) ?? 0;
    return own > 0 && own + bytes > capacity / tenantPart;
  };
  const fits = ({ bytes, tenant }: User): boolean => {
    if (tenant === undefined) return taken === takenByTenants || taken + bytes <= capacity;
    const isWithin = taken + bytes <= capacity && takenByTenants + bytes <= capacity * tenantsPart;
    return takenByTenants === 0 || isWithin;
  };

  /** Lets in whoever fits. Users of one kind do not overtake each other, or a large one would wait for ever. */
  function admit(): void {
    const full = { operator: false, tenants: false };
    const sated = new Set<number>();
    waiting = waiting.filter((user) => {
      const { bytes, tenant, go } = user;
      const kind = tenant === undefined ? "operator" : "tenants";
      if (full[kind] || (tenant !== undefined && sated.has(tenant))) return true;
      if (tenant !== undefined && exceedsShare(user)) {
        sated.add(tenant);
        return true;
      }
      if (!fits(user)) {
        full[kind] = true;
        return true;
      }
      take(bytes, tenant);
      go();
      return false;
    });
  }

  return {
    enter(bytes, tenant) {
      if (isSmall(bytes)) return undefined;
      let isIn = false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const go = (): void => {
        isIn = true;
        resolve();
      };
      waiting.push({ bytes, tenant, go });
      admit();
      return isIn ? undefined : promise;
    },
    leave(bytes, tenant) {
      if (isSmall(bytes)) return;
      take(-bytes, tenant);
      if (waiting.length > 0) admit();
    },
  };
}
