import { PrismaPg } from "@prisma/adapter-pg";
import { getPrismaClient } from "@prisma/client/runtime/client";

/** A function of Node that neither Node's types nor the language's name. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };
};

/** Parts of Prisma that its generator imports, without types. */
const prismaRuntime = (file: string) => import(`@prisma/client/runtime/${file}`);

/** A client as `prisma generate` writes it, for a schema without models. */
const GeneratedPrisma = getPrismaClient({
  previewFeatures: [],
  clientVersion: "7.10.1",
  engineVersion: "none",
  activeProvider: "postgresql",
  inlineSchema: 'datasource db {\n  provider = "postgresql"\n}\n',
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  parameterizationSchema: { strings: [], graph: "AAAA" },
  compilerWasm: {
    getRuntime: () => prismaRuntime("query_compiler_fast_bg.postgresql.mjs"),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await prismaRuntime("query_compiler_fast_bg.postgresql.wasm-base64.mjs");
      return WebAssembly.compile(Buffer.from(wasm, "base64"));
    },
    importName: "./query_compiler_fast_bg.js",
  },
});

export interface PrismaClient {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<object[]>;
  $transaction<T>(
    work: (tx: PrismaClient) => Promise<T>,
    options: { maxWait: number; timeout: number },
  ): Promise<T>;
  $disconnect(): Promise<void>;
}

/** Opens a client with at most that many connections. */
export const openPrisma = (url: string, max: number): PrismaClient =>
  new GeneratedPrisma({
    adapter: new PrismaPg({ connectionString: url, max }),
  } as never) as unknown as PrismaClient;
