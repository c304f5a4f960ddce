interface Where {
  /** The issuer's address, and the path of it. */
  readonly url: string;
  readonly path: string;
}

export function configureCookies({ url, path }: Where, secrets: readonly string[]) {
  const cookie = { httpOnly: true, sameSite: "lax", signed: true } as const;
  const port = new URL(url).port.replace(/^(?=.)/, "-");
  // A neighbour under the domain could plant a session of its own otherwise.
  const prefix = isSecure(url) ? "__Host-" : "";
  return {
    keys: [...secrets],
    // Browsers do not tell cookies apart by port, and several issuers may run on one machine.
    names: {
      session: `${prefix}issuer-session${port}`,
      interaction: `issuer-step${port}`,
      resume: `issuer-resume${port}`,
    },
    long: { ...cookie, path: sessionPath({ url, path }) },
    // Without a path here each sign-in keeps its cookies under its own address: several tabs do not disturb each other.
    short: cookie,
  };
}

/** Browsers take the prefix with this path alone. */
export function sessionPath({ url, path }: Where): string {
  return isSecure(url) ? "/" : path;
}

function isSecure(url: string): boolean {
  return url.startsWith("https:");
}
