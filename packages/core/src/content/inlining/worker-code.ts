/**
 * The worker with all its imports as one script. The build fills it in, for services that are bundled into one file.
 */
export const workerCode: string | undefined = undefined;
