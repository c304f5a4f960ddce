import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { hasBegunSignIn, logoutPath } from "#server/identity/routes.ts";
import { injectFetch } from "#server/openid/in-process-fetch.ts";
import type { Context } from "./context/context.ts";
import { defineJob, scheduleJob } from "./jobs/jobs.ts";
import { type HandledJob, handleJob } from "./jobs/runner.ts";
import { rotateSigningKeyJob } from "./operations/signing-key.ts";
import type { ImportAccounts } from "./seed.ts";
import { describeAcademy } from "./settings/settings.ts";

export interface Registration {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string;
}

export function registration(publicUrl: string, secrets: readonly string[]): Registration {
  return {
    id: "academy",
    secret: createHmac("sha256", secrets[0] ?? "")
      .update("relying party")
      .digest("base64url"),
    redirectUris: [`${publicUrl}/api/auth/callback`],
    postLogoutRedirectUris: [`${publicUrl}/`],
    backchannelLogoutUri: `${publicUrl}${logoutPath}`,
  };
}

export interface BuiltInIssuer {
  readonly importAccounts: ImportAccounts;
  readonly jobs: readonly HandledJob<unknown>[];
}

/** Loads the issuer only here: an academy with another provider saves the memory. */
export async function mountBuiltInIssuer(
  app: FastifyInstance,
  ctx: Context,
  options: {
    readonly client: Registration;
    readonly secrets: readonly string[];
    readonly stylesheet: string;
    readonly isDemo: boolean;
    readonly onFailedSignIn: () => void;
  },
): Promise<BuiltInIssuer> {
  const [{ mountIssuer }, { MailOrder }] = await Promise.all([import("#issuer/issuer.ts"), import("#issuer/mails.ts")]);
  const mailJob = defineJob("mail-of-issuer", MailOrder, { lane: "mail" });
  const { db, mail, clock } = ctx;
  const { publicUrl } = ctx.site;
  const issuer = await mountIssuer(app, {
    url: `${publicUrl}/issuer`,
    db,
    mail,
    enqueueMail: (tx, order) => {
      const now = clock.now();
      return scheduleJob(tx, mailJob, { data: order, runAt: now, now });
    },
    clock,
    secrets: options.secrets,
    client: options.client,
    send: injectFetch(app),
    hasBegun: (cookies, state) => hasBegunSignIn(ctx, cookies, state),
    reservedEmails: ctx.administratorEmails,
    findAcademy: () => describeAcademy(ctx),
    homeUrl: `${publicUrl}/api/login`,
    profileUrl: publicUrl + loginUrl("/profile"),
    signInUrl: (path) => publicUrl + loginUrl(path),
    contactUrl: `${publicUrl}${href.contact()}`,
    stylesheet: options.stylesheet,
    onFailedSignIn: options.onFailedSignIn,
    demoAccounts: options.isDemo
      ? demoAccounts.map((account) => ({ ...account, password: demoPassword, emailVerified: true }))
      : [],
  });
  return {
    importAccounts: issuer.importAccounts,
    jobs: [
      handleJob(mailJob, (_ctx, order, jobId) => issuer.sendMail(order, jobId)),
      handleJob(rotateSigningKeyJob, () => issuer.rotateSigningKey()),
    ],
  };
}
