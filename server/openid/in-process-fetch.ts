import type { FastifyInstance, InjectOptions } from "fastify";

/**
 * A fetch that reaches this process without a socket: before the server listens, and behind a proxy that this machine
 * cannot reach.
 */
export function injectFetch(app: FastifyInstance): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.text();
    const answer = await app.inject({
      method: request.method as NonNullable<InjectOptions["method"]>,
      url: `${url.pathname}${url.search}`,
      headers: { ...Object.fromEntries(request.headers), host: url.host },
      ...(body ? { payload: body } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, String(one));
    }
    const bodyless = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(bodyless ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
  };
}

/** As `injectFetch`, for callers that are created before the server. */
export function injectFetchLater(): { readonly fetch: typeof fetch; answerBy(app: FastifyInstance): void } {
  let answered: typeof fetch = async () => {
    throw new Error("the server is not built yet");
  };
  return {
    fetch: (input, init) => answered(input, init),
    answerBy(app) {
      answered = injectFetch(app);
    },
  };
}
