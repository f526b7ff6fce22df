/** Codes of errors for want of file descriptors or memory. Not EADDRNOTAVAIL, which an address itself may cause. */
const codes = new Set<unknown>(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);
/** Node reports a library's `package.json` that it can't open as invalid, and only the text tells why. */
const unopened = /too many open files|not enough memory|cannot allocate memory/i;

/** Whether the error is that this process lacks file descriptors or memory. */
export function lacksResources(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return (
    codes.has(error.code) || (error.code === "ERR_INVALID_PACKAGE_CONFIG" && unopened.test(error.message))
  );
}
