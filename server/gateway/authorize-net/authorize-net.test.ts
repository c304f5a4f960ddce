import { createServer, type RequestListener } from "node:http";
import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { listening } from "#test/listening.ts";
import { adapterAt, sampleCharge as charge, gatewayReplying, gatewayThat } from "#test/stand-ins/scripted-gateway.ts";

const approved = {
  transactionResponse: {
    responseCode: "1",
    transId: "60200000001",
    accountNumber: "XXXX1111",
    accountType: "Visa",
    avsResultCode: "Y",
    cvvResultCode: "M",
    messages: [{ code: "1", description: "This transaction has been approved." }],
  },
  refId: charge.reference,
  messages: { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] },
};

test("an approved charge has its transaction, its card and its codes", async () => {
  const { gateway } = await gatewayReplying(approved);
  expect(await gateway.charge(charge)).toEqual({
    kind: "approved",
    transactionId: "60200000001",
    card: { brand: "Visa", last4: "1111" },
    networkTransactionId: null,
    paymentProfile: null,
    codes: { response: "1", reason: "1", avs: "Y", cvv: "M" },
  });
});

test("a request that was not sent counts as not processed", async () => {
  const server = createServer();
  const port = await listening(server);
  onTestFinished(() => void server.close());
  // A server that speaks no TLS: the handshake fails before anything is written.
  expect(await adapterAt(`https://127.0.0.1:${port}/`).gateway.charge(charge)).toMatchObject({ kind: "not-processed" });
  await new Promise((resolve) => server.close(resolve));
  const nobody = await adapterAt(`http://127.0.0.1:${port}/`).gateway.charge(charge);
  expect(nobody).toMatchObject({ kind: "not-processed", reason: expect.stringContaining("(ECONNREFUSED)") });
  const nowhere = await adapterAt("http://gateway.invalid/").gateway.charge(charge);
  expect(nowhere).toMatchObject({ kind: "not-processed" });
});

test("a request without a readable answer has an unknown outcome [P08 P09]", async () => {
  const answers: [string, RequestListener][] = [
    ["timed out", () => {}],
    ["ECONNRESET", (request) => request.socket.resetAndDestroy()],
    ["HTTP 502", (_request, response) => response.writeHead(502).end("{}")],
    ["HTTP 302", (_request, response) => response.writeHead(302, { location: "http://elsewhere.test/" }).end()],
    ["not readable", (_request, response) => response.end('{"transactionResponse":{')],
    ["not readable", (_request, response) => response.end("[]")],
    ["not readable", (_request, response) => response.end("<!doctype html><title>Maintenance</title>")],
    [
      "not readable",
      (_request, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(JSON.stringify(approved))),
    ],
    ["too long", (_request, response) => response.end("x".repeat(2_000_000))],
    [
      "cut off",
      (_request, response) => response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy()),
    ],
  ];
  for (const [reason, answer] of answers) {
    const { gateway } = await gatewayThat((request, response) => {
      request.resume().once("end", () => answer(request, response));
    });
    expect(await gateway.charge(charge)).toMatchObject({ kind: "unknown", reason: expect.stringContaining(reason) });
  }
});

/** Time enough for what must not end by its limit. */
const patient = { timeouts: { connectMs: 30_000, totalMs: 30_000 } };

test("a reply is cut off after a megabyte, and compressed replies are not unpacked [P09]", async () => {
  const offered = 50 * 1024 * 1024;
  let taken = 0;
  function* endless() {
    for (; taken < offered; taken += 256 * 1024) yield Buffer.alloc(256 * 1024, " ");
  }
  const flood = await gatewayThat((request, response) => {
    request.resume();
    pipeline(Readable.from(endless()), response, () => {});
  }, patient);
  expect(await flood.gateway.charge(charge)).toMatchObject({
    kind: "unknown",
    reason: "The gateway is unavailable. Its answer cannot be read (the reply was cut off or too long).",
  });
  expect(taken).toBeLessThan(offered);

  const bomb = gzipSync(Buffer.alloc(offered, " "));
  const { gateway } = await gatewayThat((request, response) => {
    request.resume().once("end", () => response.setHeader("content-encoding", "gzip").end(bomb));
  }, patient);
  expect(await gateway.charge(charge)).toMatchObject({
    kind: "unknown",
    reason: expect.stringContaining("not readable"),
  });
});

test("a redirect is not followed: nothing reaches another host [P09]", async () => {
  let reached = 0;
  const elsewhere = createServer((_request, response) => {
    reached += 1;
    response.end(JSON.stringify(approved));
  });
  onTestFinished(() => void elsewhere.close());
  const location = `http://127.0.0.1:${await listening(elsewhere)}/`;
  for (const status of [301, 302, 303, 307, 308]) {
    const { gateway } = await gatewayThat((request, response) => {
      request.resume().once("end", () => response.writeHead(status, { location }).end(JSON.stringify(approved)));
    }, patient);
    expect(await gateway.charge(charge)).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining(`(HTTP ${status})`),
    });
  }
  expect(reached).toBe(0);
});

test("no secret, card token or personal detail gets into the log or an outcome", async () => {
  const text = "The 'x:firstName' element is invalid - The value 'Ada' is invalid according to its datatype 'String'";
  const messages = { resultCode: "Error", message: [{ code: "E00003", text }] };
  const { gateway, lines } = await gatewayReplying({ messages });
  const outcome = await gateway.charge(charge);
  expect(lines.join("")).toContain("firstName");
  const { transactionKey } = merchant;
  for (const secret of [transactionKey, charge.card.value, "Ada", "Byron", "ada@academy.test"]) {
    expect(lines.join("") + JSON.stringify(outcome)).not.toContain(secret);
  }
});

test("a query without an answer throws GatewayUnavailable", async () => {
  const { gateway } = await gatewayThat((_request, response) => response.writeHead(503).end());
  await expect(gateway.findTransaction("1")).rejects.toThrow(
    "The gateway is unavailable. It answers with an error (HTTP 503).",
  );
  const denied = await gatewayReplying({ messages: { resultCode: "Error", message: [{ code: "E00011", text: "" }] } });
  await expect(denied.gateway.listUnsettled()).rejects.toThrow("E00011");
});

test("the browser gets public settings and the origins that it may connect to", () => {
  const { gateway } = adapterAt("https://api.authorize.net/xml/v1/request.api");
  expect(gateway.browser).toEqual({
    scriptUrl: "https://jstest.authorize.net/v1/Accept.js",
    apiLoginId: merchant.apiLoginId,
    clientKey: merchant.clientKey,
    origins: ["https://jstest.authorize.net", "https://api.authorize.net", "https://api2.authorize.net"],
  });
});
