import type { WorkspaceApi } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { type OpenedFile, openFile } from "../../service/open-file.ts";

/** A file to attach, with its content id in the html. */
export interface SentFile extends OpenedFile {
  contentId: string | undefined;
}

/** Opens the files that options name: `--attach FILE`, `--inline FILE=ID`. Throws `not_found` for a missing one. */
export function openSentFiles({
  attach = [],
  inline = [],
}: {
  attach?: string[] | undefined;
  inline?: string[] | undefined;
}): SentFile[] {
  return [
    ...attach.map((path) => ({ ...openFile(path), contentId: undefined })),
    ...inline.map((given) => {
      const at = given.lastIndexOf("=");
      if (at < 1)
        throw new CliError(
          "usage",
          `--inline must be a file and the id that the html refers to (it is ${given}).`,
          "An example: --inline logo.png=logo",
        );
      return { ...openFile(given.slice(0, at)), contentId: given.slice(at + 1) };
    }),
  ];
}

/** A file in the body of a send. */
type GivenFile =
  | { id: string; content_id?: string }
  | { filename: string; content: string; content_id?: string };

interface Giving {
  dryRun?: boolean | undefined;
  sensitive?: boolean | undefined;
  idempotencyKey?: string | undefined;
  /** Route for uploads. Default: `POST /attachments`. */
  route?: "POST /attachments" | "POST /workspaces/current/attachments";
}

/** Maximum bytes of all files within a request. */
const maxWithin = 10 * 1024 * 1024;

/**
 * Prepares the files of a send. They are uploaded, one after another, or within the request: of a sensitive e-mail,
 * because uploads are not sealed; and, if they are small enough, of a dry run, which must store nothing, and of a send with
 * an idempotency key, which a repetition with other uploads would not match.
 */
export async function outputFiles(
  api: WorkspaceApi,
  files: readonly SentFile[],
  { dryRun = false, sensitive = false, idempotencyKey: key, route = "POST /attachments" }: Giving = {},
): Promise<GivenFile[]> {
  const fits = files.reduce((sum, { size }) => sum + size, 0) <= maxWithin;
  if (sensitive && !fits)
    throw new CliError("usage", "The files of a sensitive e-mail may have at most 10 MB in total.");
  const isWithin = sensitive || ((dryRun || key !== undefined) && fits);
  const given: GivenFile[] = [];
  for (const { contentId, ...file } of files) {
    const named = contentId === undefined ? {} : { content_id: contentId };
    if (isWithin) given.push({ filename: file.filename, content: await readBase64(file), ...named });
    else given.push({ id: (await api.request(route, file)).id, ...named });
  }
  return given;
}

async function readBase64({ content }: OpenedFile): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString("base64");
}
