interface Where {
  /** The issuer's address, and the path of it. */
  readonly url: string;
  readonly path: string;
}

export function configureCookies({ url, path }: Where, secrets: readonly string[]) {
  const cookie = { httpOnly: true, sameSite: "lax", signed: true } as const;
  const port = new URL(url).port.replace(/^(?=.)/, "-");
  // A sibling subdomain could plant a session of its own otherwise.
  const prefix = isSecure(url) ? "__Host-" : "";
  return {
    keys: [...secrets],
    // Cookies are not separated by port, and several issuers may run on one machine.
    names: {
      session: `${prefix}issuer-session${port}`,
      interaction: `issuer-step${port}`,
      resume: `issuer-resume${port}`,
    },
    long: { ...cookie, path: sessionPath({ url, path }) },
    // Without a path each sign-in has its cookies under its own URL, so that sign-ins in several tabs stay apart.
    short: cookie,
  };
}

/** Browsers accept the `__Host-` prefix only with this path. */
export function sessionPath({ url, path }: Where): string {
  return isSecure(url) ? "/" : path;
}

function isSecure(url: string): boolean {
  return url.startsWith("https:");
}
