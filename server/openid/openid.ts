/** What the caller keeps for the browser between leaving for the provider and coming back. */
export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The person was asked to prove who they are, even if the provider remembered them. */
  readonly again: boolean;
}

/** Somebody the provider vouches for. They are known by issuer and subject; everything else may change. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** As the provider wrote it; empty when it names none. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null when the provider does not say. */
  readonly emailVerifiedAt: Date | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The sign-in of one OpenID Connect provider. */
export interface OpenId {
  /**
   * @param again the person shall prove who they are, even if the provider remembers them.
   * @throws ProviderUnavailable
   */
  start(returnTo: string, options?: { again: boolean }): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * Only the query of `callbackUrl` counts.
   * @throws SignInFailed for anything wrong with the callback or the tokens; ProviderUnavailable for an outage
   */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<FinishedSignIn>;
  /** Where the browser ends its session at the provider; null when there is no such place or it cannot be asked. */
  signOutUrl(idToken: string | null): Promise<string | null>;
  /**
   * Has the provider delete the account of a person there. Nothing happens when it offers no such thing, when it is not
   * the person's provider, or when there is no such account; it may be repeated.
   * @throws ProviderUnavailable
   */
  deleteAccount(identity: Identity): Promise<void>;
  /**
   * Has the provider mail a person the link that confirms their address. "not-offered" when it offers no such thing or
   * is not the person's provider.
   * @throws ProviderUnavailable
   */
  sendConfirmation(identity: Identity): Promise<"sent" | "too-often" | "not-offered">;
  /**
   * Reads a logout token of OpenID Connect Back-Channel Logout.
   * @throws SignInFailed for anything that the provider did not sign for us; ProviderUnavailable
   */
  readLogout(token: string): Promise<Logout>;
  /** Where people change their email and password; null when the provider has no such page that we know. */
  readonly accountUrl: string | null;
}

export type Identity = Pick<Person, "issuer" | "subject">;

/** What a provider says has ended: one of its sessions, or every sign-in of a person until an instant. */
export type Logout =
  | { readonly sid: string }
  | {
      readonly identity: Identity;
      readonly endedAt: Date;
      /** The one session of the person that goes on. */
      readonly keptSid: string | null;
    };

export interface FinishedSignIn {
  readonly person: Person;
  readonly idToken: string;
  /** The provider's session, as its logout tokens name it; null when it does not say. */
  readonly sid: string | null;
  /** When the person proved who they are. A provider that does not say is taken to have asked just now. */
  readonly authenticatedAt: Date;
  /** The provider said when that was. */
  readonly isAuthenticationTold: boolean;
}

/** The callback or the provider's answer cannot be trusted. The reason is a code for the log, without secrets. */
export class SignInFailed extends Error {
  override name = "SignInFailed";
  readonly reason: string;

  constructor(reason: string) {
    super(`sign-in failed: ${reason}`);
    this.reason = reason;
  }
}

/** The provider does not answer, or not like one. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}
