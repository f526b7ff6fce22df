import type { Logger } from "@posthorn/core";

interface Line {
  fields: object;
  message: string;
}

/** A logger that keeps what it is told. */
export const createRecordingLogger = (): Logger & { debugs: Line[]; warnings: Line[] } => {
  const debugs: Line[] = [];
  const warnings: Line[] = [];
  return {
    debugs,
    warnings,
    debug: (fields, message) => void debugs.push({ fields, message }),
    info: () => {},
    warn: (fields, message) => void warnings.push({ fields, message }),
    error: () => {},
  };
};
