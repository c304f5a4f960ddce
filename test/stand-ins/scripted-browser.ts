import type { FastifyInstance } from "fastify";

/** A browser without rendering: keeps cookies by path, sends Origin with posts, and follows redirects. */
export interface ScriptedBrowser {
  /** By path and name. */
  readonly cookies: Map<string, { name: string; value: string; path: string }>;
  /** Every Set-Cookie header. */
  readonly seen: readonly string[];
  /** Opens a URL. Follows redirects, except to the client. */
  open(url: string): Promise<Screen>;
  /** Posts the fields from a page, like a form without scripts. */
  submit(action: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Screen>;
  /** Posts in the same way without following the redirect, and returns its location. */
  submitAndHold(action: string, fields: Record<string, string>): Promise<string>;
}

export interface Screen {
  readonly status: number;
  readonly url: URL;
  readonly html: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Opens a browser for the app. It does not follow redirects to URLs that begin with `client`. */
export function scriptedBrowser(
  app: Pick<FastifyInstance, "inject">,
  origin: string,
  client = "nowhere",
): ScriptedBrowser {
  const cookies: ScriptedBrowser["cookies"] = new Map();
  const seen: string[] = [];

  async function send(
    method: "GET" | "POST",
    address: string,
    headers: Record<string, string>,
    payload = "",
    follow = true,
  ): Promise<Screen> {
    const url = new URL(address, origin);
    const sent = [...cookies.values()].filter(
      ({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, "/")),
    );
    const answer = await app.inject({
      method,
      url: `${url.pathname}${url.search}`,
      headers: {
        accept: "text/html",
        host: url.host,
        ...(sent.length > 0 ? { cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; ") } : {}),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    });
    seen.push(...[answer.headers["set-cookie"] ?? []].flat());
    for (const { name, value, path = "/", expires } of answer.cookies) {
      if (!value || (expires && expires.getTime() < Date.now())) cookies.delete(`${path} ${name}`);
      else cookies.set(`${path} ${name}`, { name, value, path });
    }
    const { location } = answer.headers;
    const screen = { status: answer.statusCode, url, html: answer.body, headers: answer.headers };
    if (typeof location !== "string") return screen;
    const next = new URL(location, url);
    if (!follow) return { ...screen, url: next };
    return next.href.startsWith(client) ? { ...screen, url: next } : send("GET", next.href, {});
  }

  const post = (action: string, fields: Record<string, string>, headers: Record<string, string>, follow: boolean) =>
    send(
      "POST",
      action,
      { origin, "content-type": "application/x-www-form-urlencoded", ...headers },
      new URLSearchParams(fields).toString(),
      follow,
    );

  return {
    cookies,
    seen,
    open: (url) => send("GET", url, {}),
    submit: (action, fields, headers = {}) => post(action, fields, headers, true),
    submitAndHold: async (action, fields) => (await post(action, fields, {}, false)).url.href,
  };
}
