import { createSmtpServer } from "./create-smtp-server.ts";
import { deleteSmtpServer } from "./delete-smtp-server.ts";
import { getSmtpServer } from "./get-smtp-server.ts";
import { listSmtpServers } from "./list-smtp-servers.ts";
import { testSmtpServer } from "./test-smtp-server.ts";
import { updateSmtpServer } from "./update-smtp-server.ts";

/** A workspace's own mail servers. */
export const smtpServers = {
  create: createSmtpServer,
  list: listSmtpServers,
  get: getSmtpServer,
  update: updateSmtpServer,
  delete: deleteSmtpServer,
  test: testSmtpServer,
} as const;
