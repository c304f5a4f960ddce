import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { uploadPicture } from "#contract/admin/pictures.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { uploadProfileImage } from "#contract/profile.ts";
import { uploadResource } from "#contract/resources.ts";
import { freePort } from "#test/free-port.ts";
import { listening } from "#test/listening.ts";
import { isNginxInstalled, openNginx } from "#test/nginx.ts";
import { until } from "#test/until.ts";

const megabytes = 1024 * 1024;

/** A node that answers before a body has come, as to strangers. */
async function openNode(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const node = createServer((incoming, answer) => {
    asked.push(incoming.url ?? "");
    incoming.resume();
    answer.writeHead(401).end("not signed in");
  });
  onTestFinished(() => void node.close());
  return { port: await listening(node), asked };
}

/** Sends the beginning of a body and waits for the answer. */
async function begin(
  port: number,
  path: string,
  length: number,
): Promise<{ status: number | undefined; said: string }> {
  const sent = request({ port, path, method: "POST", headers: { "content-length": length } });
  sent.on("error", () => {}); // Its rest is never sent.
  sent.write(Buffer.alloc(1000));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const said = await text(answer);
  sent.destroy();
  return { status: answer.statusCode, said };
}

test.skipIf(!isNginxInstalled)("nginx does not buffer a stranger's large body", async () => {
  const node = await openNode();
  const port = await freePort();
  await using _nginx = await openNginx(port, [node.port]);
  expect((await begin(port, sendContactMessage.path, 3 * megabytes)).status).toBe(413);
  expect(node.asked).toEqual([]);
  // A node turns a stranger away while nearly all of the file is still to come.
  const paths = [uploadResource.path, uploadProfileImage.path, uploadPicture.path];
  for (const path of paths) {
    expect(await begin(port, path, 500 * megabytes)).toEqual({ status: 401, said: "not signed in" });
  }
  expect(node.asked).toEqual(paths);
});

test.skipIf(!isNginxInstalled)("nginx logs no secret of an address", async () => {
  const node = await openNode();
  const port = await freePort();
  await using nginx = await openNginx(port, [node.port]);
  const paths = ["/calendar/s3cret.ics", "/unsubscribe/s3cret", "/issuer/confirm-address?token=s3cret", "/about"];
  for (const path of paths) {
    await fetch(`http://127.0.0.1:${port}${path}`, { headers: { referer: `http://127.0.0.1/?token=s3cret` } });
  }
  const log = await until(async () => {
    const text = readFileSync(nginx.accessLog, "utf8");
    return text.split("\n").length > paths.length && text;
  });
  expect(log).not.toContain("s3cret");
  for (const path of ["/calendar/-", "/unsubscribe/-", "/issuer/confirm-address", "/about"]) {
    expect(log).toContain(`"GET ${path} HTTP/1.1" 401`);
  }
});
