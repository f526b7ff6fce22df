import type { Logger } from "@posthorn/core";

interface Line {
  fields: object;
  message: string;
}

/** Creates a logger that records its calls. */
export const createRecordingLogger = (): Logger & { debugs: Line[]; infos: Line[]; warnings: Line[] } => {
  const debugs: Line[] = [];
  const infos: Line[] = [];
  const warnings: Line[] = [];
  return {
    debugs,
    infos,
    warnings,
    debug: (fields, message) => void debugs.push({ fields, message }),
    info: (fields, message) => void infos.push({ fields, message }),
    warn: (fields, message) => void warnings.push({ fields, message }),
    error: () => {},
  };
};
