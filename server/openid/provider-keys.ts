import * as client from "openid-client";
import { type Clock, MINUTE, SECOND } from "#server/base/clock.ts";

export interface ProviderKeys {
  readonly fetch: typeof fetch;
  remember(config: client.Configuration): void;
}

const COOL_DOWN = 30 * SECOND;
const LIFETIME = 5 * MINUTE;

/** Seconds; the library refetches keys for an unknown key id only when it takes them to be this old. */
const OLD_ENOUGH = 60;

/**
 * Fetches the keys anew for an unknown key id, as keys are rotated, but every 30 seconds at most, as anybody can
 * invent key ids.
 */
export function providerKeys(send: typeof fetch, address: string | undefined, clock: Clock): ProviderKeys {
  let known: Promise<Keys> | undefined;
  let askedAgainAt = Number.NEGATIVE_INFINITY;
  let latest: Keys | undefined;
  // The clock of the built-in issuer, whose keys change when it is moved.
  const now = () => clock.now().getTime();

  async function fetchKeys(...request: Parameters<typeof fetch>): Promise<Response> {
    const mayAskAgain = now() - askedAgainAt >= COOL_DOWN;
    if (!known || mayAskAgain) {
      if (known) askedAgainAt = now();
      const asking = ask(send, request, now());
      known = asking;
      asking.catch(() => {
        if (known === asking) known = undefined;
      });
    }
    latest = await known;
    return Response.json(latest.jwks);
  }

  return {
    fetch: (input, init) => (String(input) === address ? fetchKeys(input, init) : send(input, init)),
    remember(config) {
      if (!latest || now() - latest.at >= LIFETIME) return;
      client.setJwksCache(config, { jwks: latest.jwks, uat: Math.floor(Date.now() / 1000) - OLD_ENOUGH });
    },
  };
}

interface Keys {
  readonly jwks: client.ExportedJWKSCache["jwks"];
  readonly at: number;
}

async function ask(send: typeof fetch, request: Parameters<typeof fetch>, at: number): Promise<Keys> {
  const answer = await send(...request);
  const jwks = answer.ok ? ((await answer.json().catch(() => null)) as Keys["jwks"] | null) : null;
  if (!Array.isArray(jwks?.keys)) throw new TypeError("the provider's keys cannot be read");
  return { jwks, at };
}
