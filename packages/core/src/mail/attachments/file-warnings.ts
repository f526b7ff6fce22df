import { base64Length } from "../../rules/base64-lines.ts";
import type { ChosenFile } from "./chosen-files.ts";

/** File extensions that Gmail rejects in any mail (https://support.google.com/mail/answer/6590). */
const refusedByGmail = new Set(
  "ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll".split(
    " ",
  ),
);
/** Maximum bytes of an encoded message that Gmail accepts. */
const gmailTakes = 25 * 1024 * 1024;

interface FileWarning {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

/** Returns warnings about files that mail readers won't show beside the rendered html, or that mail servers reject. */
export function fileWarnings(html: string, files: readonly ChosenFile[]): FileWarning[] {
  const ids = new Set(files.flatMap(({ contentId }) => contentId ?? []));
  // A URL may write "@" as "%40" (RFC 2392).
  const written = [...html.matchAll(/\bcid:((?:[A-Za-z0-9._+@-]|%[2-7][\dA-F])+)/gi)];
  const referredTo = new Set(written.map(([, id = ""]) => decodeURIComponent(id)));
  const extensionOf = (filename: string): string => filename.split(".").at(-1)?.toLowerCase() ?? "";
  const size = files.reduce((sum, file) => sum + base64Length(file.size), 0);
  return [
    ...[...referredTo]
      .filter((id) => !ids.has(id))
      .map((id) => ({
        code: "cid_unknown",
        message: `The html refers to cid:${id}, but no file has that content_id.`,
        details: { content_id: id },
      })),
    ...[...ids]
      .filter((id) => !referredTo.has(id))
      .map((id) => ({
        code: "cid_unused",
        message: `The html does not refer to the file with the content_id ${id}.`,
        details: { content_id: id },
      })),
    ...files
      .filter(({ filename }) => refusedByGmail.has(extensionOf(filename)))
      .map(({ filename }) => ({
        code: "extension_refused_by_gmail",
        message: `Gmail rejects mail with files of this type: ${filename}.`,
        details: { filename },
      })),
    ...(size > gmailTakes
      ? [
          {
            code: "over_gmail_limit",
            message: "Gmail rejects mail of more than 25 MB, measured with encoded files.",
            details: { limit: gmailTakes, value: size },
          },
        ]
      : []),
  ];
}
