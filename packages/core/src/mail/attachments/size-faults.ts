import { ServiceError } from "../../errors.ts";
import type { PlanLimits } from "../../ports/storage.ts";
import type { Config } from "../../service/options.ts";

const mebibyte = 1024 * 1024;

/** Maximum decoded bytes of all files within one request; larger ones have to be uploaded first. */
export const maxInlineBytes = 10 * mebibyte;

/** Limits for the sizes of files. */
export interface SizeBounds {
  limits: Pick<PlanLimits, "maxAttachmentSizeMb">;
  config: Pick<Config, "maxMessageMb">;
}

/**
 * Returns the fault of a file that is too large: `attachment_too_large` for the plan, `message_too_large` for any
 * message.
 */
export function fileSizeFault(
  file: { filename: string; size: number },
  { limits, config }: SizeBounds,
): ServiceError | undefined {
  const { maxAttachmentSizeMb: most } = limits;
  if (most > 0 && file.size > most * mebibyte) {
    return new ServiceError("attachment_too_large", {
      message: `${file.filename} is larger than the plan's ${most} MB.`,
      details: { limit: "max_attachment_size_mb", value: most, filename: file.filename, size: file.size },
    });
  }
  return messageSizeFault(file.size, config);
}

/** Returns the size faults of an e-mail's files, each by itself and all together. */
export const sizeFaults = (
  files: readonly { filename: string; size: number }[],
  bounds: SizeBounds,
): (ServiceError | undefined)[] => [
  ...files.map((file) => fileSizeFault(file, bounds)),
  messageSizeFault(sum(files), bounds.config),
];

/** Total bytes of files. */
export const sum = (files: readonly { size: number }[]): number =>
  files.reduce((total, { size }) => total + size, 0);

/** Returns `message_too_large` for files that are too large together. */
function messageSizeFault(
  size: number,
  { maxMessageMb: most }: SizeBounds["config"],
): ServiceError | undefined {
  if (size <= most * mebibyte) return undefined;
  return new ServiceError("message_too_large", {
    message: `The files of an e-mail may have at most ${most} MB together.`,
    details: { limit: "max_message_mb", value: most, size },
  });
}
