import { expect, test } from "vitest";
import { openWebhookReceiver } from "#test/stand-ins/webhook-receiver.ts";
import { isPublic, send } from "./sending.ts";

const message = { id: "event", at: new Date(), body: "{}", secrets: ["whsec_AAAA"] };

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "fc00::1",
  "fe80::1",
  "2002:7f00:1::",
  "::7f00:1",
  "168.63.129.16",
])("no webhook is sent to %s", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(["8.8.8.8", "2606:4700::1111"])("a webhook may be sent to %s", (address) => {
  expect(isPublic(address)).toBe(true);
});

test("a receiver that changes the protocol keeps no worker", async () => {
  await using receiver = await openWebhookReceiver();
  receiver.answer = (response) => {
    response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
  };
  expect(await send(receiver.url, message, { allowsPrivate: true })).toMatchObject({ problem: "It answered 101." });
  receiver.answer = (response) => void response.socket?.destroy();
  expect((await send(receiver.url, message, { allowsPrivate: true })).problem).toBe("The connection broke off.");
});

test("neither an address inside nor a name that leads there is connected to [N08]", async () => {
  await using receiver = await openWebhookReceiver();
  const { port } = new URL(receiver.url);
  const inside = [
    "http://127.0.0.1",
    "http://localhost",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://2130706433",
    "http://0x7f.1",
    "http://127.1",
  ];
  for (const host of inside) {
    const answer = await send(`${host}:${port}/`, message, { allowsPrivate: false });
    expect(answer, host).toMatchObject({ status: null, problem: "The address isn’t on the public internet." });
  }
  expect(receiver.received).toEqual([]);
});
