import { ServiceError } from "@posthorn/core";

/** The answer to a body that ends before its end: its caller has left, or the connection has failed. */
export const bodyBrokenOff = (): ServiceError =>
  new ServiceError("validation_failed", { message: "The body broke off." });

/**
 * The answer when the host has read a body and passed nothing on. It says so, because a logger may not be set up yet
 * when a host first meets it.
 */
export const bodyTaken = (advice: string): ServiceError =>
  new ServiceError("internal_error", {
    message: `The host read the request's body before this handler. ${advice}`,
  });
