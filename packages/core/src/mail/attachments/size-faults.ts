import { ServiceError } from "../../errors.ts";
import type { PlanLimits } from "../../ports/storage/plans.ts";
import type { Config } from "../../service/options.ts";

const mebibyte = 1024 * 1024;

/** How large files may be. */
export interface SizeBounds {
  limits: Pick<PlanLimits, "maxAttachmentSizeMb">;
  config: Pick<Config, "maxMessageMb">;
}

/** Of a file: `attachment_too_large` where the plan does not let it be sent, `message_too_large` where no message can hold it. */
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

/** Of files of one e-mail, each by itself and all together. */
export const sizeFaults = (
  files: readonly { filename: string; size: number }[],
  bounds: SizeBounds,
): (ServiceError | undefined)[] => [
  ...files.map((file) => fileSizeFault(file, bounds)),
  messageSizeFault(sum(files), bounds.config),
];

/** Bytes of files together. */
export const sum = (files: readonly { size: number }[]): number =>
  files.reduce((total, { size }) => total + size, 0);

/** Of files that are too large together: `message_too_large`. */
function messageSizeFault(
  size: number,
  { maxMessageMb: most }: SizeBounds["config"],
): ServiceError | undefined {
  if (size <= most * mebibyte) return undefined;
  return new ServiceError("message_too_large", {
    message: `The files of an e-mail may have ${most} MB together.`,
    details: { limit: "max_message_mb", value: most, size },
  });
}
