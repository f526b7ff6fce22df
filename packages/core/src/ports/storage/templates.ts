import type { Listing, Slice } from "./paging.ts";

/** What a version says, kept once by its hash and never changed. */
export interface Content {
  id: number;
  /** Of what it says: the same for the same content, on any storage. */
  hash: string;
  subject: string;
  html: string;
  text: string;
}

/** What a version says; a part that is missing is empty. */
export type NewContent = Omit<Content, "id" | "hash">;

/** Contents and sets of stylesheets: immutable, and kept once however many have the same. */
export interface Contents {
  /** Keeps a content, or finds the equal one that is kept. */
  put(content: NewContent): Promise<number>;
  find(id: number): Promise<Content | undefined>;
  /** Keeps the stylesheets of a workspace as one immutable text, or finds the equal one. */
  putStylesheetSet(css: string): Promise<number>;
  findStylesheetSet(id: number): Promise<{ hash: string; css: string } | undefined>;
  /**
   * Looks at up to `limit` contents and stylesheet sets that something ceased to refer to, and removes those that nothing refers to any
   * more; how many it looked at.
   */
  deleteUnused(limit: number): Promise<number>;
}

/** A template without what its versions say. */
export interface Template {
  id: string;
  workspaceId: number;
  name: string;
  description: string;
  defaultLanguage: string;
  activeVersionId: string;
  createdAt: number;
  updatedAt: number;
}

/** A version without its content. */
export interface TemplateVersion {
  id: string;
  templateId: string;
  versionNumber: number;
  note: string;
  /** Values to preview with; never used for sending. */
  sampleData: Record<string, unknown>;
  contentId: number;
  contentHash: string;
  content: NewContent;
  isActive: boolean;
  createdAt: number;
  updatedAt: number;
}

/** A version to be kept. */
export interface NewTemplateVersion {
  id: string;
  note: string;
  sampleData: Record<string, unknown>;
  contentId: number;
  createdAt: number;
}

/** What sending by name needs. */
export interface SendableVersion {
  workspaceId: number;
  templateId: string;
  templateName: string;
  versionId: string;
  contentId: number;
  contentHash: string;
}

/** Templates and their versions. */
export interface Templates {
  /** Inserts the template with its first version, active. Throws `UniqueViolation` where the workspace has the name. */
  insert(
    template: Omit<Template, "activeVersionId" | "updatedAt">,
    firstVersion: NewTemplateVersion,
  ): Promise<Template>;
  find(workspaceId: number, id: string): Promise<Template | undefined>;
  findByName(workspaceId: number, name: string): Promise<Template | undefined>;
  /** Newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Template>>;
  /** Throws `UniqueViolation` where the workspace has the name. */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<Pick<Template, "name" | "description" | "defaultLanguage">> & { updatedAt: number },
  ): Promise<Template | undefined>;
  /** Deletes the template and its versions; e-mails already accepted keep their content. */
  delete(workspaceId: number, id: string): Promise<boolean>;
  /** Numbers the version next, also under concurrency. `undefined` where there is no such template. */
  insertVersion(
    workspaceId: number,
    templateId: string,
    version: NewTemplateVersion,
  ): Promise<TemplateVersion | undefined>;
  findVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
  ): Promise<TemplateVersion | undefined>;
  /** Newest first, without limit; of `content` only the subject is read, the rest is left empty. */
  listVersions(workspaceId: number, templateId: string): Promise<TemplateVersion[]>;
  updateVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
    changes: Partial<Pick<NewTemplateVersion, "note" | "sampleData" | "contentId">> & { updatedAt: number },
  ): Promise<TemplateVersion | undefined>;
  /** `undefined` where the template has no such version. */
  activateVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
    now: number,
  ): Promise<Template | undefined>;
  deleteVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
  ): Promise<"deleted" | "active" | "missing">;
  /** The active versions of the named templates, in no order; unknown names are left out. */
  findActive(names: { workspaceId: number; name: string }[]): Promise<SendableVersion[]>;
}

/** CSS that is inlined into the e-mails of a workspace. */
export interface Stylesheet {
  id: string;
  workspaceId: number;
  name: string;
  css: string;
  createdAt: number;
  updatedAt: number;
}

/** The stylesheets of workspaces. */
export interface Stylesheets {
  /** Throws `UniqueViolation` where the workspace has the name. */
  insert(stylesheet: Omit<Stylesheet, "updatedAt">): Promise<Stylesheet>;
  find(workspaceId: number, id: string): Promise<Stylesheet | undefined>;
  /** Newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Stylesheet>>;
  /** All of a workspace's, by name (by code point). */
  listAll(workspaceId: number): Promise<Stylesheet[]>;
  /** Throws `UniqueViolation` where the workspace has the name. */
  update(
    workspaceId: number,
    id: string,
    changes: Partial<Pick<Stylesheet, "name" | "css">> & { updatedAt: number },
  ): Promise<Stylesheet | undefined>;
  delete(workspaceId: number, id: string): Promise<Stylesheet | undefined>;
}
