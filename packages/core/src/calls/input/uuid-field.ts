import { z } from "zod";

/** A UUID whose letters may be of either case (RFC 9562 §4). All that is stored is in lower case. */
export const uuidField = z.uuid().toLowerCase();
