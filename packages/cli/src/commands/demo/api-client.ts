/** Calls the server as any client would: JSON over HTTP. */
export interface ApiClient {
  /** Resolves with the response's `data`; throws the server's message for a refusal. */
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
}

/** Creates an API client. `onCall` is called with each request and its status. */
export function createApiClient(
  baseUrl: string,
  onCall: (method: string, path: string, status: number) => void,
): ApiClient {
  return {
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      onCall(method, `/api/v1${path}`, response.status);
      const answer = (response.status === 204 ? {} : await response.json()) as {
        data: never;
        error?: { message?: string };
      };
      if (!response.ok) {
        throw new Error(
          `${method} ${path} was answered ${response.status}: ${answer.error?.message ?? "no reason given"}`,
        );
      }
      return answer.data;
    },
  };
}
