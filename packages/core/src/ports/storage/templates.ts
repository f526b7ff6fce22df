import type { Listing, Slice } from "./paging.ts";

/** What a version says, kept once by its hash and never changed. */
export interface Content {
  /** The storage's own key. */
  id: number;
  /** Of what it says: the same for the same content, on any storage. */
  hash: string;
  /** The subject's template. */
  subject: string;
  /** The html's template; empty where there is none. */
  html: string;
  /** The text's template; empty where there is none. */
  text: string;
}

/** What a version says; a part that is missing is empty. */
export type NewContent = Omit<Content, "id" | "hash">;

/** Contents and sets of stylesheets: immutable, and kept once however many have the same. */
export interface Contents {
  /** Keeps a content, or finds the equal one that is kept. */
  put(content: NewContent): Promise<number>;
  /** `undefined` where there is none. */
  find(id: number): Promise<Content | undefined>;
  /** Keeps the stylesheets of a workspace as one immutable text, or finds the equal one. */
  putStylesheetSet(css: string): Promise<number>;
  /** The text with the digest by which it is known. */
  findStylesheetSet(id: number): Promise<{ hash: string; css: string } | undefined>;
  /**
   * Looks at up to `limit` contents and stylesheet sets that something ceased to refer to, and removes those that nothing refers to any
   * more; how many it looked at.
   */
  deleteUnused(limit: number): Promise<number>;
}

/** A template without what its versions say. */
export interface Template {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** What sends call it by. */
  name: string;
  /** What it is for. */
  description: string;
  /** The language that it is in, such as `en` (RFC 5646). */
  defaultLanguage: string;
  /** The version that is sent. */
  activeVersionId: string;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A version without its content. */
export interface TemplateVersion {
  /** Names it. */
  id: string;
  /** The template that it is of. */
  templateId: string;
  /** 1 for the first. */
  versionNumber: number;
  /** What its author says of it. */
  note: string;
  /** Values to preview with; never used for sending. */
  sampleData: Record<string, unknown>;
  /** What it says, as it is kept. */
  contentId: number;
  /** The digest by which that is known. */
  contentHash: string;
  /** What it says. */
  content: NewContent;
  /** Whether it is the one that is sent. */
  isActive: boolean;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** A version to be kept. */
export interface NewTemplateVersion {
  /** Names it. */
  id: string;
  /** What its author says of it. */
  note: string;
  /** Values to preview with. */
  sampleData: Record<string, unknown>;
  /** What it says, which is kept. */
  contentId: number;
  /** When it was made, ms since the epoch. */
  createdAt: number;
}

/** What sending by name needs. */
export interface SendableVersion {
  /** The workspace's number. */
  workspaceId: number;
  /** The template's id. */
  templateId: string;
  /** The template's name. */
  templateName: string;
  /** The active version. */
  versionId: string;
  /** What it says, as it is kept. */
  contentId: number;
  /** The digest by which that is known. */
  contentHash: string;
}

/** Templates and their versions. */
export interface Templates {
  /** Inserts the template with its first version, active. Throws `UniqueViolation` where the workspace has the name. */
  insert(
    template: Omit<Template, "activeVersionId" | "updatedAt">,
    firstVersion: NewTemplateVersion,
  ): Promise<Template>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<Template | undefined>;
  /** Compares letter by letter; `undefined` where there is none. */
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
  /** `undefined` where the template has none of this id. */
  findVersion(
    workspaceId: number,
    templateId: string,
    versionId: string,
  ): Promise<TemplateVersion | undefined>;
  /** Newest first, without limit; of `content` only the subject is read, the rest is left empty. */
  listVersions(workspaceId: number, templateId: string): Promise<TemplateVersion[]>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
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
  /** Removes a version that is not the active one; what became of it. */
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
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** What it is called. */
  name: string;
  /** As it was given. */
  css: string;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** The stylesheets of workspaces. */
export interface Stylesheets {
  /** Throws `UniqueViolation` where the workspace has the name. */
  insert(stylesheet: Omit<Stylesheet, "updatedAt">): Promise<Stylesheet>;
  /** `undefined` where there is none. */
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
  /** Removes one and answers it; `undefined` where there was none. */
  delete(workspaceId: number, id: string): Promise<Stylesheet | undefined>;
}
