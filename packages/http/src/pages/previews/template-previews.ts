/** A template of a folder, as its last save left it. */
export interface PreviewedTemplate {
  /** The template's name in the workspace. */
  name: string;
  /** Its files, as seen from the folder. */
  files: string[];
  /** The number of the version that is kept; absent where none ever was good. */
  version?: number;
  /** The fault in its files, with the line if known; the version shown is then that of an earlier save. */
  fault?: string;
}

/** A template with its sample data, as it would be sent. */
export interface RenderedTemplate {
  /** The subject with the sample data filled in. */
  subject: string;
  /** Inlined and filled in; empty where the template has none. */
  html: string;
  /** The plain text; empty if the message has none. */
  text: string;
  /** Placeholders that the sample data has no value for. */
  missing: string[];
  /** The sample data it was rendered with. */
  sampleData: Record<string, unknown>;
}

/** A folder of templates that is kept in step with a workspace. */
export interface TemplatePreviews {
  /** As its user would name it. */
  folder: string;
  /** Another one whenever there is something new to show. */
  revision(): string;
  /** By name. */
  list(): PreviewedTemplate[];
  /** `undefined` for a template that was never good. */
  render(name: string): Promise<RenderedTemplate | undefined>;
  /** Sends one to the inbox, with its sample data. */
  send(name: string): Promise<void>;
}
