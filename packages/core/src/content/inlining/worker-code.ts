/** The worker with all that it imports, as one script: put in by the build, for services that are bundled into one file. */
export const workerCode: string | undefined = undefined;
