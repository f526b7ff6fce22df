import type { Listing, Slice } from "./paging.ts";

/** The content of a version, or of e-mails that are sent as written. It never changes. */
export interface Content {
  /** The storage's own key. */
  id: number;
  /** Digest of the content, the same for equal content on any storage. */
  hash: string;
  /** Template of the subject. */
  subject: string;
  /** Template of the html; empty if there is none. */
  html: string;
  /** Template of the text; empty if there is none. */
  text: string;
}

/** The content of a version; missing parts are empty. */
export type NewContent = Omit<Content, "id" | "hash">;

/**
 * Contents and stylesheet sets. They are immutable, and equal ones are stored once, but perhaps by concurrent transactions
 * that are the first: none waits for another.
 */
export interface Contents {
  /** Stores a content, or finds the equal stored one. */
  put(content: NewContent): Promise<number>;
  /** Finds one; `undefined` if there is none. */
  find(id: number): Promise<Content | undefined>;
  /** Finds several, in any order, without those that don't exist. */
  findMany(ids: number[]): Promise<Content[]>;
  /** Stores a workspace's stylesheets as one immutable text, or finds the equal stored one. */
  putStylesheetSet(css: string): Promise<number>;
  /** Returns the text with its digest. */
  findStylesheetSet(id: number): Promise<{ hash: string; css: string } | undefined>;
  /**
   * Checks contents and stylesheet sets that lost a reference, up to `limit` losses, and deletes those without any. Returns the
   * number of losses, also of those that are left as they are in use just now; 0 if all are.
   */
  deleteUnused(limit: number): Promise<number>;
}

/** A template without the content of its versions. */
export interface Template {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The name by which requests refer to it. */
  name: string;
  /** The purpose, as text for people. */
  description: string;
  /** The language, such as `en` (RFC 5646). */
  defaultLanguage: string;
  /** Id of the version that is sent. */
  activeVersionId: string;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A version without its content. */
export interface TemplateVersion {
  /** Its unique id. */
  id: string;
  /** Id of its template. */
  templateId: string;
  /** Number, counted from 1. */
  versionNumber: number;
  /** The author's note. */
  note: string;
  /** Example values for previews; never used for sending. */
  sampleData: Record<string, unknown>;
  /** Id of the stored content. */
  contentId: number;
  /** Digest of the content. */
  contentHash: string;
  /** The content. */
  content: NewContent;
  /** Whether this version is the one that is sent. */
  isActive: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A version as lists show it. */
export interface ListedTemplateVersion
  extends Pick<TemplateVersion, "id" | "versionNumber" | "note" | "isActive" | "createdAt" | "updatedAt"> {
  /** The subject, with its placeholders. */
  subject: string;
}

/** A version to insert. */
export interface NewTemplateVersion {
  /** Its unique id. */
  id: string;
  /** The author's note. */
  note: string;
  /** Example values for previews. */
  sampleData: Record<string, unknown>;
  /** Id of the stored content. */
  contentId: number;
  /** When it was created, ms since the epoch. */
  createdAt: number;
}

/** The data for sending by a template's name. */
export interface SendableVersion {
  /** The workspace's number. */
  workspaceId: number;
  /** The template's id. */
  templateId: string;
  /** The template's name. */
  templateName: string;
  /** Id of the active version. */
  versionId: string;
  /** Id of the stored content. */
  contentId: number;
  /** Digest of the content. */
  contentHash: string;
}

/** Templates and their versions. */
export interface Templates {
  /**
   * Inserts the template with its first version, which is active. Throws `UniqueViolation` if the workspace has the
   * name.
   */
  insert(
    template: Omit<Template, "activeVersionId" | "updatedAt">,
    firstVersion: NewTemplateVersion,
  ): Promise<Template>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<Template | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Template>>;
  /** Changes one. Throws `UniqueViolation` if the workspace has the name. */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<Pick<Template, "name" | "description" | "defaultLanguage">> & { updatedAt: number },
  ): Promise<Template | undefined>;
  /** Deletes the template and its versions. E-mails already accepted keep their content. */
  delete(workspaceId: number, id: string): Promise<boolean>;
  /** Inserts a version with the next number, also under concurrency. `undefined` if there is no such template. */
  insertVersion(
    workspaceId: number,
    templateId: string,
    version: NewTemplateVersion,
  ): Promise<TemplateVersion | undefined>;
  /** Finds a version; `undefined` if the template has none with this id. */
  findVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
  ): Promise<TemplateVersion | undefined>;
  /** Lists versions, newest first, without what may be large. */
  listVersions(
    workspaceId: number,
    templateId: string,
    slice: Slice,
  ): Promise<Listing<ListedTemplateVersion>>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
  updateVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
    changes: Partial<Pick<NewTemplateVersion, "note" | "sampleData" | "contentId">> & { updatedAt: number },
  ): Promise<TemplateVersion | undefined>;
  /** Activates a version; `undefined` if the template has no such version. */
  activateVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
    now: number,
  ): Promise<Template | undefined>;
  /** Deletes a version that is not the active one. Returns the outcome. */
  deleteVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
  ): Promise<"deleted" | "active" | "missing">;
  /** Returns the active versions of the named templates, in no order, without unknown names. */
  findActive(names: { workspaceId: number; name: string }[]): Promise<SendableVersion[]>;
}

/** A stylesheet, which is inlined into the e-mails of a workspace. */
export interface Stylesheet {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The name. */
  name: string;
  /** The CSS as given. */
  css: string;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Stylesheets of workspaces. */
export interface Stylesheets {
  /** Inserts one. Throws `UniqueViolation` if the workspace has the name. */
  insert(stylesheet: Omit<Stylesheet, "updatedAt">): Promise<Stylesheet>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<Stylesheet | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Stylesheet>>;
  /** Lists all of a workspace's stylesheets by name (by code point). */
  listAll(workspaceId: number): Promise<Stylesheet[]>;
  /** Changes one. Throws `UniqueViolation` if the workspace has the name. */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<Pick<Stylesheet, "name" | "css">> & { updatedAt: number },
  ): Promise<Stylesheet | undefined>;
  /** Deletes one and returns it; `undefined` if there was none. */
  delete(workspaceId: number, id: string): Promise<Stylesheet | undefined>;
}
