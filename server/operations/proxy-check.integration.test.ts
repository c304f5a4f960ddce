import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkProxies } from "#contract/proxy-check.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { examine } from "./doctor/doctor.ts";

/** A proxy as most are set up: it adds the address that it sees to what the visitor said. */
async function openProxy() {
  let target = "";
  const proxy = createServer((incoming, outgoing) => {
    const said = incoming.headers["x-forwarded-for"];
    const seen = incoming.socket.remoteAddress ?? "";
    const headers = { ...incoming.headers, "x-forwarded-for": said ? `${said}, ${seen}` : seen };
    const onward = request(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    leadTo: (url: string) => {
      target = url;
    },
  };
}

test.each([
  ["1", /^ok visitors are told apart: this request is of 127\.0\.0\.1, through 1 in a row$/],
  ["2", /^PROBLEM Visitors are believed whatever address they make up: correct TRUST_PROXY, only 1 stand in a row\.$/],
  ["10.0.0.0/8", /^PROBLEM All visitors look like 127\.0\.0\.1 and share its limits: correct TRUST_PROXY, it does not/],
])("the doctor tries TRUST_PROXY=%s by a request through the public address [H06]", async (trustProxy, finding) => {
  const proxy = await openProxy();
  const env = { PUBLIC_URL: proxy.url, TRUST_PROXY: trustProxy };
  const academy = await openAcademyInProcess(env);
  onTestFinished(() => academy[Symbol.asyncDispose]());
  proxy.leadTo(academy.url);
  const environment = {
    ...env,
    PORT: new URL(academy.url).port,
    DATA_DIR: academy.dataDir,
    DATABASE_URL: addressOf(academy.database),
  };
  const findings: Record<string, string> = {};
  for await (const { name, problem, detail } of examine(environment, "24.21.0")) {
    findings[name] = `${problem ? "PROBLEM" : "ok"} ${detail}`;
  }
  expect(findings.Mode).toBe("ok a demo's database");
  expect(findings.Proxies).toMatch(finding);
  const stranger = academy.visitor();
  const answer = await stranger.call(checkProxies, { body: { token: "guessed" }, headers: { origin: proxy.url } });
  expect(answer.status).toBe(404);
});
