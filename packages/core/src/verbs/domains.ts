// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { DomainView } from "../domains/domain-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateDomainInput {
  /**
   * The domain's name: one that can be registered, or a subdomain; at most 223 characters. International names are
   * converted to punycode.
   */
  name: string;
  /**
   * Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added
   * as a domain of its own takes precedence. Default false.
   */
  includeSubdomains?: boolean | undefined;
  /** Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`. */
  returnPath?: string | undefined;
  /**
   * Prefix of the host in tracked links and images, before the domain's name; at most 100 characters. Used once its
   * record leads to the operator's tracking host. Default null: they have the host of the service itself.
   */
  tracking?: string | null | undefined;
  /**
   * With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it.
   * Default `opportunistic`.
   */
  tls?: "opportunistic" | "required" | undefined;
}

/** What `list` takes. */
export interface ListDomainsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `update` takes. */
export interface UpdateDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
  /**
   * Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added
   * as a domain of its own takes precedence. Default false.
   */
  includeSubdomains?: boolean | undefined;
  /** Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`. */
  returnPath?: string | undefined;
  /**
   * Prefix of the host in tracked links and images, before the domain's name; at most 100 characters. Used once its
   * record leads to the operator's tracking host. Default null: they have the host of the service itself.
   */
  tracking?: string | null | undefined;
  /**
   * With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it.
   * Default `opportunistic`.
   */
  tls?: "opportunistic" | "required" | undefined;
}

/** What `verify` takes. */
export interface VerifyDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `rotateDkim` takes. */
export interface RotateDkimInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `delete` takes. */
export interface DeleteDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `knowsTrackingHost` takes. */
export interface KnowsTrackingHostInput {
  /** The host name. */
  host: string;
}

/** Sending domains of a workspace. */
export interface DomainsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Adds a sending domain, within the plan's `maxDomains`. Returns the DNS records to publish, which are checked from
   * a minute later on, at growing intervals, for 30 days (platform.md P6).
   *
   * May refuse with `domain_not_registrable`, `domain_taken`, `plan_limit_reached`, `rate_limited`.
   */
  create(this: void, input: CreateDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /** Lists the workspace's sending domains, newest first. */
  list(this: void, input?: ListDomainsInput, ...call: K["workspace"]): Promise<Page<DomainView>>;
  /** Returns one sending domain, with the records to publish and the status of each. */
  get(this: void, input: GetDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /** Changes a sending domain. The change applies from each e-mail's next delivery attempt on. */
  update(this: void, input: UpdateDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Checks a sending domain's records now, at the zone's own name servers. Takes at most 10 seconds; allowed 30 times
   * in ten minutes.
   *
   * May refuse with `rate_limited`.
   */
  verify(this: void, input: VerifyDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Rotates the DKIM keys. Standby keys sign from the next delivery attempt on, and new standby keys are created,
   * whose records are to be published: always for RSA, and for Ed25519 if that signs or its record is published.
   * Throws `dkim_not_published`, with the record, if a standby key's record is not published.
   *
   * May refuse with `dkim_not_published`, `rate_limited`.
   */
  rotateDkim(this: void, input: RotateDkimInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Deletes a sending domain and its keys, irrevocably. Waiting e-mails are sent unsigned from then on; those
   * accepted only because the domain was verified are refused.
   */
  delete(this: void, input: DeleteDomainInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Checks whether a name is the verified tracking host of any workspace's sending domain. A proxy asks this before
   * it requests a certificate for the name (platform.md P6).
   */
  knowsTrackingHost(this: void, input: KnowsTrackingHostInput, ...call: K["any"]): Promise<boolean>;
}
