export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  readonly startedAt: string;
  readonly again: boolean;
}

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null when the provider does not tell. */
  readonly emailVerifiedAt: Date | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export interface StartOptions {
  readonly again?: boolean;
  readonly create?: boolean;
  readonly email?: string | undefined;
}

export interface OpenId {
  /**
   * @param options.again the person must authenticate again, even if the provider remembers the browser
   * @param options.create the person has no account yet; providers that cannot create one show the sign-in
   * @param options.email prefilled by providers that support it
   * @throws ProviderUnavailable
   */
  start(returnTo: string, options?: StartOptions): Promise<{ url: string; pending: PendingSignIn }>;
  /** Uses only the query of `callbackUrl`. @throws SignInFailed, ProviderUnavailable */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<FinishedSignIn>;
  /** Where the browser ends the provider's session; null without such an address, or while the provider is away. */
  signOutUrl(idToken: string | null): Promise<string | null>;
  /** Deletes the account at the provider, if it offers that. Safe to repeat. @throws ProviderUnavailable */
  deleteAccount(identity: Identity): Promise<void>;
  /**
   * Deletes it unless its address is confirmed by now. False when it is, or the provider does not offer that. Safe to
   * repeat. @throws ProviderUnavailable
   */
  deleteUnconfirmed(identity: Identity): Promise<boolean>;
  /**
   * Has the provider mail another confirmation link. "not-offered" also for a person of another provider.
   * @throws ProviderUnavailable
   */
  sendConfirmation(identity: Identity): Promise<"sent" | "too-often" | "not-offered">;
  /**
   * Reads a back-channel logout token.
   * @throws SignInFailed unless the provider signed it for us; ProviderUnavailable
   */
  readLogout(token: string): Promise<Logout>;
  readonly accountUrl: string | null;
}

export type Identity = Pick<Person, "issuer" | "subject">;

export type Logout =
  | { readonly sid: string }
  | {
      readonly identity: Identity;
      readonly endedAt: Date;
      readonly keptSid: string | null;
    };

export interface FinishedSignIn {
  readonly person: Person;
  readonly idToken: string;
  readonly sid: string | null;
  /** When the person authenticated; now, where the provider does not tell. */
  readonly authenticatedAt: Date;
  readonly isAuthenticationTold: boolean;
  /** Null where the provider does not tell. */
  readonly usedSecondFactor: boolean | null;
}

/** @param reason a code for the log, without secrets */
export class SignInFailed extends Error {
  override name = "SignInFailed";
  readonly reason: string;

  constructor(reason: string) {
    super(`sign-in failed: ${reason}`);
    this.reason = reason;
  }
}

export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}
