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
  /** Null when the provider does not say. */
  readonly emailVerifiedAt: Date | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export interface OpenId {
  /** @param again even if the provider remembers the person. @throws ProviderUnavailable */
  start(returnTo: string, options?: { again: boolean }): Promise<{ url: string; pending: PendingSignIn }>;
  /** Only the query of `callbackUrl` counts. @throws SignInFailed, ProviderUnavailable */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<FinishedSignIn>;
  /** Null where the provider has no such address or cannot be asked. */
  signOutUrl(idToken: string | null): Promise<string | null>;
  /** Safe to repeat; a provider may offer no deletion. @throws ProviderUnavailable */
  deleteAccount(identity: Identity): Promise<void>;
  /** "not-offered" also when it is not the person's provider. @throws ProviderUnavailable */
  sendConfirmation(identity: Identity): Promise<"sent" | "too-often" | "not-offered">;
  /** @throws SignInFailed for anything that the provider did not sign for us; ProviderUnavailable */
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
  /** A provider that does not say is taken to have asked just now. */
  readonly authenticatedAt: Date;
  readonly isAuthenticationTold: boolean;
}

/** The reason is a code for the log, without secrets. */
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
