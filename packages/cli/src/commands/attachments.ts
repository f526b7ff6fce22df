import type { CommandContext } from "../program/connection/command-context.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { defined } from "../program/verbs/defined.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { openFile } from "../service/open-file.ts";
import { readable, reportDone } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "upload <file>", {
      summary: "upload a file for sends to refer to by its id",
      example: "posthorn attachments upload terms.pdf --workspace Shop",
      asks: ["POST /attachments"],
    }),
  )
    .option("--name <name>", "the attachment's name (default: the file's)")
    .option("--type <type>", "its media type, such as application/pdf (default: by the name's extension)")
    .action(act(upload));
  addRouteVerb(command, act, "show <id>", {
    asks: "GET /attachments/{id}",
    summary: "show an uploaded file's name, type, size and expiry",
    example: "posthorn attachments show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --workspace Shop",
    columns: [
      { title: "id", cell: ({ id }) => id },
      { title: "name", cell: ({ filename }) => filename },
      { title: "type", cell: ({ content_type }) => content_type },
      { title: "bytes", cell: ({ size }) => size },
      { title: "digest", cell: ({ digest }) => digest },
      { title: "until", cell: ({ expires_at }) => readable(expires_at) },
    ],
  });
  addRouteVerb(command, act, "delete <id>", {
    asks: "DELETE /attachments/{id}",
    summary: "delete an uploaded file; e-mails that use it keep their copy",
    example: "posthorn attachments delete 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --workspace Shop",
    done: (_, [named]) => `The file ${named} is deleted.`,
  });
};

interface UploadOptions {
  workspace?: string;
  name?: string;
  type?: string;
}

async function upload(context: CommandContext, path: string, options: UploadOptions): Promise<void> {
  const file = openFile(path);
  const api = await context.inWorkspace(options.workspace);
  const attachment = await api.request("POST /attachments", {
    ...file,
    ...defined({ filename: options.name }),
    ...defined({ content_type: options.type }),
  });
  reportDone(context, `${attachment.filename} is uploaded as ${attachment.id}.`, attachment);
}
