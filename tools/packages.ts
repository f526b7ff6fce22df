/** The published packages in the order of their dependencies, with the entries to build. */
export const packages: { folder: string; entries: Record<string, string> }[] = [
  {
    folder: "core",
    entries: {
      index: "src/index.ts",
      internal: "src/internal.ts",
      version: "src/version.ts",
      "network/index": "src/network/index.ts",
      storage: "src/storage.ts",
      "testing/index": "src/testing/index.ts",
      "testing/contract/index": "src/testing/contract/index.ts",
      "posthorn-inline-worker": "src/content/inlining/inline-worker.ts",
    },
  },
  { folder: "storage-sql", entries: { index: "src/index.ts" } },
  { folder: "storage-sqlite", entries: { index: "src/index.ts", internal: "src/internal.ts" } },
  { folder: "storage-postgres", entries: { index: "src/index.ts", internal: "src/internal.ts" } },
  { folder: "mailer-smtp", entries: { index: "src/index.ts", internal: "src/internal.ts" } },
  {
    folder: "client",
    entries: {
      index: "src/index.ts",
      "contract/schemas": "src/contract/schemas.ts",
      nodemailer: "src/nodemailer.ts",
    },
  },
  {
    folder: "http",
    entries: {
      index: "src/index.ts",
      internal: "src/internal.ts",
      "contract/wire/index": "src/contract/wire/index.ts",
      "server/direct-client": "src/server/direct-client.ts",
    },
  },
  { folder: "cli", entries: { index: "src/index.ts" } },
];
