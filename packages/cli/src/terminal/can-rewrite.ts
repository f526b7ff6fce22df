/** Whether what stands on a stream's terminal can be rewritten: `TERM=dumb` says that it obeys no escape sequences. */
export const canRewrite = ({ isTTY }: { isTTY?: boolean }): boolean =>
  isTTY === true && process.env["TERM"] !== "dumb";
