import type { DomainView } from "../src/domains/domain-view.ts";
import { ServiceError } from "../src/errors.ts";
import type { World } from "../src/testing/index.ts";
import { workspace, world } from "./world-for-each.ts";

type DomainInput = Parameters<World["posthorn"]["domains"]["create"]>[0];

export const add = (name = "shop.example", fields: Partial<DomainInput> = {}) =>
  world.posthorn.domains.create({ name, ...fields }, workspace.asOwner);

export const get = ({ id }: DomainView) => world.posthorn.domains.get({ domainId: id }, workspace.asOwner);
export const verify = ({ id }: DomainView) =>
  world.posthorn.domains.verify({ domainId: id }, workspace.asOwner);
export const rotate = ({ id }: DomainView) =>
  world.posthorn.domains.rotateDkim({ domainId: id }, workspace.asOwner);

export const publish = ({ records }: DomainView) => {
  for (const { name, type, value, priority } of records)
    if (type === "MX") world.dns.setMx(name, `${priority} ${value}`);
    else if (type === "CNAME") world.dns.setCname(name, value);
    else world.dns.set(name, value);
};

/** Removes the records, as a move to another provider does. */
export const withdraw = ({ records }: DomainView) => {
  for (const { name, type } of records) type === "MX" ? world.dns.setMx(name) : world.dns.set(name);
};

export const addVerified = async (name?: string, fields?: Partial<DomainInput>) => {
  const domain = await add(name, fields);
  publish(domain);
  return verify(domain);
};

export const logged = async (): Promise<string[]> => {
  const { items } = await world.posthorn.auditLog.listForWorkspace({ size: 100 }, workspace.asOwner);
  return items.filter(({ type }) => type.startsWith("domain.")).map(({ type }) => type);
};

export const keysIn = (domain: DomainView, state: string): string[] =>
  domain.dkim.filter((key) => key.state === state).map(({ selector }) => selector);

export const keyIn = (domain: DomainView, state: string): string | undefined =>
  domain.dkim.find((key) => key.state === state)?.selector;

export const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
