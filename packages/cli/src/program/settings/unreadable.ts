import { CliError } from "../errors/cli-error.ts";

/** Creates the error for a file that settings come from and that can't be read. `subject` names it in the message. */
export function unreadable(subject: string, cause: unknown, hint: string): CliError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const because: Partial<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "this user may not read it",
    EISDIR: "it is a folder",
    ELOOP: "its symbolic links lead in a circle",
  };
  return new CliError(
    code === "ENOENT" ? "not_found" : code === "EACCES" ? "not_allowed" : "usage",
    `${subject} can't be read: ${because[code ?? ""] ?? message}.`,
    hint,
  );
}
