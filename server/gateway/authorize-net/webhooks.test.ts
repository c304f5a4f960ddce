import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { parseWebhook, readWebhook, verifyWebhook } from "./webhooks.ts";

const key =
  "0A1B2C3D4E5F60718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7E8F9";
const body = Buffer.from(
  '{"notificationId":"d0e8e7fe-c3e7-4add-a480-27bc5ce28a18","eventType":"net.authorize.payment.authcapture.created","eventDate":"2017-03-29T20:48:02.0080095Z","webhookId":"63d6fea2-aa13-4b1d-a204-f5fbc15942b7","payload":{"responseCode":1,"authCode":"LZ6I19","avsResponse":"Y","authAmount":45.00,"merchantReferenceId":"attempt-000000000001","entityName":"transaction","id":"60020981676"}}',
);
const digest = createHmac("sha512", key).update(body).digest("hex");

test("a webhook is accepted when its bytes are signed with the key as text, in either case of the signature", () => {
  expect(verifyWebhook(body, `sha512=${digest.toUpperCase()}`, key)).toBe(true);
  expect(verifyWebhook(body, `sha512=${digest}`, key)).toBe(true);
  expect(verifyWebhook(body, `SHA512=${digest}`, key)).toBe(true);
});

test("any other signature is refused", () => {
  const decodedKey = createHmac("sha512", Buffer.from(key, "hex")).update(body).digest("hex");
  const headers = [
    undefined,
    "",
    "sha512=",
    digest,
    `sha256=${digest}`,
    `sha512=${digest.slice(1)}`,
    `sha512=${digest}0`,
    `sha512=${"0".repeat(128)}`,
    `sha512=${"z".repeat(128)}`,
    `sha512=${decodedKey}`,
  ];
  for (const header of headers) expect(verifyWebhook(body, header, key)).toBe(false);
  const signature = `sha512=${digest}`;
  expect(verifyWebhook(Buffer.concat([body, Buffer.from(" ")]), signature, key)).toBe(false);
  expect(verifyWebhook(Buffer.from(JSON.stringify(JSON.parse(body.toString()))), signature, key)).toBe(false);
  expect(verifyWebhook(body, signature, key.toLowerCase())).toBe(false);
  const unsigned = `sha512=${createHmac("sha512", "").update(body).digest("hex")}`;
  expect(verifyWebhook(body, unsigned, "")).toBe(false);
});

test("during a rotation both keys are accepted, later only the new one [I18]", () => {
  const signed = (by: string) => `sha512=${createHmac("sha512", by).update(body).digest("hex")}`;
  const fresh = key.replaceAll("A", "B");
  for (const both of [`${fresh},${key}`, `${key}, ${fresh}`, `${fresh},,${key},`]) {
    expect(verifyWebhook(body, signed(key), both)).toBe(true);
    expect(verifyWebhook(body, signed(fresh), both)).toBe(true);
    expect(verifyWebhook(body, signed(""), both)).toBe(false);
    expect(verifyWebhook(body, signed(both), both)).toBe(false);
  }
  expect(verifyWebhook(body, signed(key), fresh)).toBe(false);
});

test("only signed bytes are parsed", () => {
  const headers = { "x-anet-signature": `sha512=${digest}`, host: "localhost" };
  expect(readWebhook(body, headers, key)).toMatchObject({ event: "charged", transactionId: "60020981676" });
  expect(readWebhook(body, {}, key)).toBeNull();
  expect(readWebhook(body, { "x-anet-signature": [headers["x-anet-signature"]] }, key)).toBeNull();
  expect(readWebhook(body, headers, "another key")).toBeNull();
});

test("a webhook has the event and the transaction", () => {
  expect(parseWebhook(body)).toEqual({
    id: "d0e8e7fe-c3e7-4add-a480-27bc5ce28a18",
    event: "charged",
    transactionId: "60020981676",
    reference: "attempt-000000000001",
  });
});

test.each([
  ["net.authorize.payment.authorization.created", "authorized"],
  ["net.authorize.payment.priorAuthCapture.created", "charged"],
  ["net.authorize.payment.refund.created", "refunded"],
  ["net.authorize.payment.void.created", "voided"],
  ["net.authorize.payment.fraud.held", "held"],
  ["net.authorize.payment.fraud.approved", "approved"],
  ["net.authorize.payment.fraud.declined", "declined"],
  ["net.authorize.customer.subscription.expiring", "other"],
  ["constructor", "other"],
])("%s is %s", (eventType, event) => {
  const content = { notificationId: "1", eventType, payload: { entityName: "transaction", id: 7 } };
  expect(parseWebhook(Buffer.from(JSON.stringify(content)))).toMatchObject({ event, transactionId: "7" });
});

test("a webhook about a customer names no transaction", () => {
  const payload = { entityName: "customerProfile", id: "394", merchantCustomerId: "1" };
  const content = { notificationId: "1", eventType: "net.authorize.customer.created", payload };
  expect(parseWebhook(Buffer.from(JSON.stringify(content)))).toEqual({
    id: "1",
    event: "other",
    transactionId: null,
    reference: null,
  });
});

test.each(["", "{", "[]", "null", '"text"', "{}", '{"notificationId":"1"}', '{"eventType":"x"}'])(
  "%j is no webhook",
  (text) => expect(parseWebhook(Buffer.from(text))).toBeNull(),
);
