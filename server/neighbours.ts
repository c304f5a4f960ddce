import { createHmac } from "node:crypto";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { Logger } from "pino";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { href } from "#contract/addresses.ts";
import { paletteOf } from "#contract/look.ts";
import { logoutPath } from "#server/identity/routes.ts";
import { injectFetch } from "#server/openid/in-process-fetch.ts";
import type { DataDir } from "#server/process/data-dir.ts";
import type { Clock } from "./base/clock.ts";
import type { Config } from "./context/config.ts";
import type { Context } from "./context/context.ts";
import type { authorizeNet } from "./gateway/authorize-net/authorize-net.ts";
import { signOf } from "./http/forms.ts";
import { requireKnownHost } from "./http/known-hosts.ts";
import { defineJob, scheduleJob } from "./jobs/jobs.ts";
import { type HandledJob, handleJob } from "./jobs/runner.ts";
import type { ImportAccounts } from "./seed.ts";
import { describeAcademy } from "./settings/settings.ts";
import type { DescriptionAddresses } from "./video/inspection.ts";

// Loaded only where they are used: they take memory that an academy with other providers would hold for nothing.

/** Null in production, where nothing of the sandbox is even loaded. */
export async function openOutside(
  config: Config,
  dataDir: DataDir,
  opened: AsyncDisposableStack,
): Promise<Outside | null> {
  if (config.mode === "production") return null;
  if (config.sandboxUrl) {
    const { followSandbox } = await import("#sandbox/follow.ts");
    const followed = await followSandbox(config.sandboxUrl, listeningUrl(config));
    opened.defer(() => followed.close());
    return followed;
  }
  const sandbox = await ownSandbox(config, dataDir, opened);
  return { ...sandbox, ...reachedAt(listeningUrl(config), config, sandbox) };
}

async function ownSandbox(config: Config, dataDir: DataDir, opened: AsyncDisposableStack) {
  const { openSandbox } = await import("#sandbox/sandbox.ts");
  const sandbox = await openSandbox({
    dataDir: `${dataDir.path}/sandbox`,
    url: config.publicUrl,
    academyUrl: listeningUrl(config),
    stylesheet: null,
  });
  opened.defer(() => sandbox.close());
  return sandbox;
}

/** Our own calls go to a socket of this machine: the public address may lead through a proxy that does not lead back. */
function reachedAt(origin: string, { publicUrl }: Config, outside: Pick<Outside, "gateway" | "video">) {
  const { gateway, video } = outside;
  const reached = (address: string) => address.replace(publicUrl, origin);
  return {
    gateway: { ...gateway, apiUrl: reached(gateway.apiUrl) },
    video: {
      youtube: reached(video.youtube),
      vimeo: reached(video.vimeo),
      bunny: reached(video.bunny),
      mux: reached(video.mux),
    },
  };
}

/** In the primary of several workers, for all of them. @returns where it listens, on this machine alone; null: none. */
export async function openSandboxForWorkers(
  config: Config,
  dataDir: DataDir,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<string | null> {
  if (config.mode === "production" || config.sandboxUrl) return null;
  const loggerInstance: FastifyBaseLogger = log.child({}, { level: "warn" });
  const app = Fastify({ loggerInstance, forceCloseConnections: true });
  const host = "127.0.0.1";
  // A stranger's name that leads to this machine is no way in.
  requireKnownHost(app, { publicUrl: `http://${host}`, host, port: 0 });
  const sandbox = await ownSandbox(config, dataDir, opened);
  await app.register(sandbox.routes, { prefix: "/sandbox" });
  opened.defer(() => app.close());
  return app.listen({ host, port: 0 });
}

/** In a worker: what its primary has. */
export async function shareOutside(
  config: Config,
  origin: string | null,
  opened: AsyncDisposableStack,
): Promise<Outside | null> {
  if (origin === null) return null;
  const [{ followSandbox }, { forwardToSandbox }] = await Promise.all([
    import("#sandbox/follow.ts"),
    import("#sandbox/forward.ts"),
  ]);
  const followed = await followSandbox(origin, null);
  opened.defer(() => followed.close());
  const { clock, smtpUrl } = followed;
  return { clock, smtpUrl, ...reachedAt(origin, config, followed), routes: forwardToSandbox(origin) };
}

export interface Outside {
  readonly clock: Clock;
  readonly smtpUrl: string;
  readonly gateway: Omit<Parameters<typeof authorizeNet>[0], "log">;
  readonly video: DescriptionAddresses;
  readonly routes?: FastifyPluginAsync;
}

function listeningUrl(config: Config): string {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}

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

export async function mountBuiltInIssuer(
  app: FastifyInstance,
  ctx: Context,
  options: {
    readonly client: Registration;
    readonly secrets: readonly string[];
    readonly stylesheet: string | null;
    readonly isDemo: boolean;
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
    reservedEmails: ctx.administratorEmails,
    async findSign() {
      const academy = await describeAcademy(ctx);
      return { ...signOf(academy), mailColors: paletteOf(academy.look.colors).light.tag };
    },
    homeUrl: `${publicUrl}/api/login`,
    profileUrl: `${publicUrl}/api/login?returnTo=%2Fprofile`,
    contactUrl: `${publicUrl}${href.contact()}`,
    stylesheet: options.stylesheet,
    demoAccounts: options.isDemo
      ? demoAccounts.map((account) => ({ ...account, password: demoPassword, emailVerified: true }))
      : [],
  });
  return {
    importAccounts: issuer.importAccounts,
    jobs: [handleJob(mailJob, (_ctx, order, jobId) => issuer.sendMail(order, jobId))],
  };
}
