/** The version of the service; a test holds it to the package's. */
export const version = "0.1.0";
