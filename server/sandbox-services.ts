import type { FastifyPluginAsync } from "fastify";
import type { DataDir } from "#server/process/data-dir.ts";
import type { Clock } from "./base/clock.ts";
import { OperatorError } from "./base/operator-error.ts";
import type { Config } from "./context/config.ts";
import type { authorizeNet } from "./gateway/authorize-net/authorize-net.ts";
import type { DescriptionAddresses } from "./video/inspection.ts";

/** What the sandbox offers an academy in a demo: stand-ins for the outside world. */
export interface SandboxServices {
  readonly clock: Clock;
  readonly smtpUrl: string;
  readonly gateway: Omit<Parameters<typeof authorizeNet>[0], "log">;
  readonly video: DescriptionAddresses;
  readonly routes?: FastifyPluginAsync;
}

/** Null in production, where no module of the sandbox is loaded. */
export async function openSandboxServices(
  config: Config,
  dataDir: DataDir,
  opened: AsyncDisposableStack,
): Promise<SandboxServices | null> {
  if (config.mode === "production") return null;
  if (config.sandboxUrl) {
    const { followSandbox } = await import("#sandbox/follow.ts");
    const followed = await followSandbox(config.sandboxUrl, listeningUrl(config)).catch((error: Error) => {
      throw new OperatorError(error.message, { cause: error });
    });
    opened.defer(() => followed.close());
    return followed;
  }
  const sandbox = await ownSandbox(config, dataDir, opened);
  return { ...sandbox, ...withOrigin(listeningUrl(config), config, sandbox) };
}

async function ownSandbox(config: Config, dataDir: DataDir, opened: AsyncDisposableStack) {
  const { openSandbox } = await import("#sandbox/sandbox.ts");
  const sandbox = await openSandbox({
    dataDir: `${dataDir.path}/sandbox`,
    url: config.publicUrl,
    academyUrl: listeningUrl(config),
  });
  opened.defer(() => sandbox.close());
  return sandbox;
}

/** Calls go to a local socket: the public address may lead through a proxy that this machine cannot reach. */
function withOrigin(
  origin: string,
  { publicUrl }: Config,
  { gateway, video }: Pick<SandboxServices, "gateway" | "video">,
) {
  const atOrigin = (address: string) => address.replace(publicUrl, origin);
  return {
    gateway: { ...gateway, apiUrl: atOrigin(gateway.apiUrl) },
    video: {
      youtube: atOrigin(video.youtube),
      vimeo: atOrigin(video.vimeo),
      bunny: atOrigin(video.bunny),
      mux: atOrigin(video.mux),
    },
  };
}

function listeningUrl(config: Config): string {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}
