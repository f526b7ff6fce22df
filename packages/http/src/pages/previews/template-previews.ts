/** A template of a folder as of its last save. */
export interface PreviewedTemplate {
  /** Name of the template in the workspace. */
  name: string;
  /** Paths of its files, relative to the folder. */
  files: string[];
  /** Number of the stored version; absent if no save was valid yet. */
  version?: number;
  /** Fault in its files, with the line if known. The version shown is then that of an earlier save. */
  fault?: string;
}

/** A template rendered with its sample data. */
export interface RenderedTemplate {
  /** Subject, rendered. */
  subject: string;
  /** HTML with inlined styles, rendered; empty for none. */
  html: string;
  /** Plain text; empty if the message has none. */
  text: string;
  /** Placeholders without a value in the sample data. */
  missing: string[];
  /** The sample data used. */
  sampleData: Record<string, unknown>;
}

/** A template folder that is synchronised with a workspace. */
export interface TemplatePreviews {
  /** Path of the folder as the user gave it. */
  folder: string;
  /** Revision, which changes whenever there is something new to show. */
  revision(): string;
  /** Lists the templates by name. */
  list(): PreviewedTemplate[];
  /** Renders a template; `undefined` if no save of it was valid yet. */
  render(name: string): Promise<RenderedTemplate | undefined>;
  /** Sends a template with its sample data to the inbox. */
  send(name: string): Promise<void>;
}
