import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { adapterAt, gatewayReplying, gatewayThat } from "#test/stand-ins/scripted-gateway.ts";
import type { Charge } from "../gateway.ts";

const DESCRIPTOR = "COMMON.ACCEPT.INAPP.PAYMENT";

const charge: Charge = {
  reference: "attempt-000000000001",
  invoiceNumber: "purchase-1",
  amountCents: 4900,
  description: "Monthly Access",
  card: { descriptor: DESCRIPTOR, value: "token-value-0001" },
  customer: { id: "student-1", email: "ada@academy.test", firstName: "Ada", lastName: "Byron" },
  storeCard: false,
};

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

/** The outcome of a charge whose reply judges the card so. */
async function outcomeWith(transactionResponse: object, more: object = {}) {
  const { gateway } = await gatewayReplying({ ...approved, ...more, transactionResponse });
  return gateway.charge(charge);
}

function refused(responseCode: string, errorCode: string, transId = "60200000001") {
  return outcomeWith({ responseCode, transId, errors: [{ errorCode, errorText: "" }] });
}

/** The outcome of a charge that the API itself refuses. */
async function outcomeWithApiCode(code: string) {
  const messages = { resultCode: "Error", message: [{ code, text: "" }] };
  const { gateway } = await gatewayReplying({ messages });
  return gateway.charge(charge);
}

test("a charge that does not fit the gateway's fields is not sent", async () => {
  const { gateway } = await gatewayThat(() => expect.unreachable());
  const tooLong = { ...charge, reference: "r".repeat(21) };
  expect(await gateway.charge(tooLong)).toMatchObject({ kind: "not-processed" });
  expect(await gateway.charge({ ...charge, amountCents: 49.5 })).toMatchObject({ kind: "not-processed" });
});

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

test("a failure to store the card does not undo the charge", async () => {
  const profileResponse = { messages: { resultCode: "Error", message: [{ code: "E00039", text: "" }] } };
  const outcome = await outcomeWith(approved.transactionResponse, { profileResponse });
  expect(outcome).toMatchObject({ kind: "approved", paymentProfile: null });
});

const hardReasons = ["3", "4", "6", "7", "8", "37", "41", "200", "250", "251", "254", "315", "316", "317"];

test.each(hardReasons)("reason %s is final for the card, under response code 3 too", async (reason) => {
  expect(await refused("2", reason)).toMatchObject({ kind: "declined", hard: true });
  expect(await refused("3", reason, "0")).toMatchObject({ kind: "declined", hard: true });
});

test.each([2, 27, 44, 45, 65, 78, 127, 128, 141, 145, 165, 191, ...Array.from({ length: 24 }, (_, at) => 201 + at)])(
  "reason %d is a decline under response code 3, and may pass later",
  async (reason) => expect(await refused("3", String(reason), "0")).toMatchObject({ kind: "declined", hard: false }),
);

test("refused credentials, refused requests and released authorisations are distinguished", async () => {
  expect(await refused("3", "13", "0")).toMatchObject({ kind: "not-processed", cause: "credentials" });
  for (const code of ["E00005", "E00006", "E00007", "E00008", "E00010", "E00011"]) {
    expect(await outcomeWithApiCode(code)).toMatchObject({ kind: "not-processed", cause: "credentials" });
  }
  for (const code of ["E00003", "E00013", "E00015"]) {
    const codes = { reason: code };
    expect(await outcomeWithApiCode(code)).toMatchObject({ kind: "not-processed", cause: "configuration", codes });
  }
  expect(await outcomeWithApiCode("E00059")).toMatchObject({ kind: "not-processed", codes: { reason: "E00059" } });
  expect(await refused("3", "5", "0")).toMatchObject({ kind: "not-processed", cause: "configuration" });
  expect(await refused("3", "52")).toMatchObject({ kind: "not-processed", cause: "not-paid" });
  expect(await refused("3", "19", "0")).toMatchObject({ kind: "unknown", isDuplicate: false });
});

test.each([
  ["6", "That card number isn't valid."],
  ["8", "Your card has expired."],
  ["17", "We don't accept this type of card."],
  ["27", "That ZIP code doesn't match"],
  ["78", "That security code doesn't match"],
])("an error of the card (%s) is told to the student", async (reason, sentence) => {
  const outcome = await refused("3", reason, "0");
  expect(outcome).toMatchObject({ kind: "declined", transactionId: null, message: expect.stringContaining(sentence) });
});

test.each(["11", "318", "19", "20", "23", "25", "26", "57", "120", "121", "122"])(
  "error %s leaves the outcome unknown",
  async (reason) => expect(await refused("3", reason, "0")).toMatchObject({ kind: "unknown", codes: { reason } }),
);

test("a busy or broken gateway leaves the outcome unknown", async () => {
  for (const code of ["E00001", "E00053", "E00104", "E00027", "E99999"]) {
    expect(await outcomeWithApiCode(code)).toMatchObject({ kind: "unknown" });
  }
  const broken = { messages: { resultCode: "Error", message: [{ code: "E00053", text: "" }] } };
  const error = { responseCode: "3", errors: [{ errorCode: "33" }] };
  expect(await outcomeWith(error, broken)).toMatchObject({ kind: "unknown" });
});

test("a spent or foreign card token asks for the card again", async () => {
  for (const code of ["E00114", "E00115", "E00116"]) {
    const message = "Please enter your card again.";
    const declined = { kind: "declined", transactionId: null, message, hard: false };
    expect(await outcomeWithApiCode(code)).toMatchObject(declined);
  }
});

test("a request that was not sent counts as not processed", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
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
  }).listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  onTestFinished(() => void elsewhere.close());
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
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
