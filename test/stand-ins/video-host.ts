import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSelfSignedCertificate } from "./self-signed-certificate.ts";

interface VideoHost extends AsyncDisposable {
  readonly origin: string;
  /** The file for NODE_EXTRA_CA_CERTS, so that an academy trusts it. */
  readonly certificate: string;
}

/** A web server on a free port that serves one MP4 file at every URL, also in ranges. */
export async function openVideoHost(path: string): Promise<VideoHost> {
  const video = await readFile(path);
  const { key, pem } = makeSelfSignedCertificate();
  const folder = await mkdtemp(join(tmpdir(), "academy-videos-"));
  const certificate = join(folder, "certificate.pem");
  await writeFile(certificate, pem);
  const server = createServer({ cert: pem, key: key.export({ type: "pkcs8", format: "pem" }) }, (request, response) => {
    const [, from = "0", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const part = video.subarray(Number(from), to === "" ? undefined : Number(to) + 1);
    response.writeHead(request.headers.range ? 206 : 200, {
      "accept-ranges": "bytes",
      "content-length": part.length,
      "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${video.length}`,
      "content-type": "video/mp4",
    });
    response.end(part);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
