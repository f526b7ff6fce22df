import { ServiceError } from "@posthorn/core";

/** The answer to a body that ends before its end: its caller has left, or the connection has failed. */
export const bodyBrokenOff = (): ServiceError =>
  new ServiceError("validation_failed", { message: "The body broke off." });
