/** A page of a list. */
export interface AnsweredPage<T> {
  data: readonly T[];
  pagination: { page: number; size: number; total: number; after: string | null };
}

/** A request for a page: by number, or by cursor. */
export interface RequestedPage {
  page?: number;
  after?: string;
  size: number;
}

const largestPage = 100;

/** Yields all pages, at the maximum size, by cursor, so that new items don't shift them. */
export async function* allPages<T>(
  ask: (page: RequestedPage) => Promise<AnsweredPage<T>>,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[]> {
  for (let after: string | null | undefined; after !== null && signal?.aborted !== true; ) {
    const { data, pagination } = await ask({ ...(after && { after }), size: largestPage });
    yield data;
    after = pagination.after ?? null;
  }
}
