import type { WorkspaceApi } from "../../program/api.ts";
import { CliError } from "../../program/cli-error.ts";
import { type OpenedFile, openFile } from "../../service/open-file.ts";

/** A file to be sent along, and what the html calls it by. */
interface SentFile extends OpenedFile {
  contentId: string | undefined;
}

/** The files that options name: `--attach FILE`, `--inline FILE=ID`. Throws where one is not there. */
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
          `--inline must be a file and what the html calls it by; it is ${given}.`,
          "An example: --inline logo.png=logo",
        );
      return { ...openFile(given.slice(0, at)), contentId: given.slice(at + 1) };
    }),
  ];
}

/** Uploads files of any size, one after another; what a send refers to them by. */
export async function uploadFiles(
  api: WorkspaceApi,
  files: readonly SentFile[],
): Promise<{ id: string; content_id?: string }[]> {
  const sent: { id: string; content_id?: string }[] = [];
  for (const { contentId, ...file } of files) {
    const { id } = await api.request("POST /attachments", file);
    sent.push({ id, ...(contentId === undefined ? {} : { content_id: contentId }) });
  }
  return sent;
}
