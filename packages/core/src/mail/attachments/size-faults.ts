import { ServiceError } from "../../errors.ts";
import type { PlanLimits } from "../../ports/storage/plans.ts";
import type { Config } from "../../service/options.ts";

const mebibyte = 1024 * 1024;

interface Bounds {
  limits: Pick<PlanLimits, "maxAttachmentSizeMb">;
  config: Pick<Config, "maxMessageMb">;
}

/** Of a file: `attachment_too_large` where the plan does not let it be sent, `message_too_large` where no message can hold it. */
export function fileSizeFault(
  file: { filename: string; size: number },
  { limits, config }: Bounds,
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

/** Of files that are too large together: `message_too_large`. */
export function messageSizeFault(
  size: number,
  { maxMessageMb: most }: Bounds["config"],
): ServiceError | undefined {
  if (size <= most * mebibyte) return undefined;
  return new ServiceError("message_too_large", {
    message: `The files of an e-mail may have ${most} MB together.`,
    details: { limit: "max_message_mb", value: most, size },
  });
}
