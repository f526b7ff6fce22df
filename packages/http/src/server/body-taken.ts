import { ServiceError } from "@posthorn/core";

/**
 * The answer when the host has read a body and passed nothing on. It says so, because a logger may not be set up yet
 * when a host first meets it.
 */
export const bodyTaken = (advice: string): ServiceError =>
  new ServiceError("internal_error", {
    message: `The host read the request's body before this handler. ${advice}`,
  });
