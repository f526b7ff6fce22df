import type { Logger } from "@posthorn/core";

/** A logger that keeps its warnings. */
export const createRecordingLogger = (): Logger & { warnings: { fields: object; message: string }[] } => {
  const warnings: { fields: object; message: string }[] = [];
  return {
    warnings,
    debug: () => {},
    info: () => {},
    warn: (fields, message) => void warnings.push({ fields, message }),
    error: () => {},
  };
};
