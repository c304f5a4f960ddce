import { createServer, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { checkProxies } from "#contract/proxy-check.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { listening } from "#test/listening.ts";
import { environmentOf, findings } from "#test/operate.ts";

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
  });
  onTestFinished(() => void proxy.close());
  return {
    url: `http://127.0.0.1:${await listening(proxy)}`,
    leadTo: (url: string) => {
      target = url;
    },
  };
}

// `proxy-check.test.ts` has the judgement of other settings.
test("the doctor tries TRUST_PROXY by a request through the public address [H06]", async () => {
  const proxy = await openProxy();
  const findingFor = async (academy: AcademyInProcess, trustProxy: string) => {
    proxy.leadTo(academy.url);
    const environment = { ...environmentOf(academy), PUBLIC_URL: proxy.url, TRUST_PROXY: trustProxy };
    for await (const { name, problem, detail } of findings(environment)) {
      if (name === "Mode") expect(detail).toBe("a demo's database");
      if (name === "Proxies") return `${problem ? "PROBLEM" : "ok"} ${detail}`;
    }
  };
  await using academy = await openAcademyInProcess({ PUBLIC_URL: proxy.url, TRUST_PROXY: "1" });
  expect(await findingFor(academy, "1")).toMatch(
    /^ok visitors are told apart: this request is of 127\.0\.0\.1, through 1 in a row$/,
  );
  const stranger = academy.visitor();
  const answer = await stranger.call(checkProxies, { body: { token: "guessed" }, headers: { origin: proxy.url } });
  expect(answer.status).toBe(404);
  await using other = await openAcademyInProcess({ PUBLIC_URL: proxy.url, TRUST_PROXY: "2" }, academy.database);
  expect(await findingFor(other, "2")).toMatch(
    /^PROBLEM Visitors are believed whatever address they make up: correct TRUST_PROXY, only 1 stand in a row\.$/,
  );
});
