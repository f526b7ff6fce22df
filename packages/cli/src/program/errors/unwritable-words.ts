/** Says that standard output can't be written, and why. */
export const unwritableWords = ({ code, message }: NodeJS.ErrnoException): string =>
  `Standard output can't be written: ${code === "ENOSPC" ? "the disk is full" : message}.`;
