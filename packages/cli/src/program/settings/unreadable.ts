import { CliError } from "../errors/cli-error.ts";

const because: Partial<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
};

/** Says why a file that a setting names can't be read. */
export const whyUnreadable = (cause: unknown): string => {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return because[code] ?? message;
};

/** Creates the error for a file that settings come from and that can't be read. `subject` names it in the message. */
export function unreadable(subject: string, cause: unknown, hint: string): CliError {
  const { code } = cause as NodeJS.ErrnoException;
  return new CliError(
    code === "ENOENT" ? "not_found" : code === "EACCES" ? "not_allowed" : "usage",
    `${subject} can't be read: ${whyUnreadable(cause)}.`,
    hint,
  );
}
