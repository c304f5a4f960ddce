import { expect, test } from "vitest";
import { merchantAuthentication } from "#test/stand-ins/merchant-api.ts";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";
import { merchant } from "./gateway.ts";

function chargeOf(dataValue: string, more: { refId?: string; invoiceNumber?: string } & Record<string, unknown> = {}) {
  const { refId = "attempt-1", invoiceNumber = "purchase-1", profile, ...transaction } = more;
  return {
    createTransactionRequest: {
      merchantAuthentication,
      refId,
      transactionRequest: {
        transactionType: "authCaptureTransaction",
        amount: "49.00",
        payment: { opaqueData: { dataDescriptor: "COMMON.ACCEPT.INAPP.PAYMENT", dataValue } },
        profile,
        order: { invoiceNumber },
        ...transaction,
      },
    },
  };
}

test("a charge's reply has a byte order mark, strings and the gateway's order, and is in the ledger", async () => {
  const { gateway, tokenize, ledger } = await sandboxOfTest();
  const { status, text, reply } = await gateway(chargeOf(await tokenize()));
  expect(status).toBe(200);
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(Object.keys(reply())).toEqual(["transactionResponse", "refId", "messages"]);
  expect(reply()).toMatchObject({
    transactionResponse: {
      responseCode: "1",
      transId: expect.stringMatching(/^\d+$/),
      accountNumber: "XXXX1111",
      accountType: "Visa",
      networkTransId: expect.stringMatching(/^[A-Z0-9]{23}$/),
      messages: [{ code: "1", description: "This transaction has been approved." }],
    },
    refId: "attempt-1",
    messages: { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] },
  });
  expect(await ledger()).toEqual([
    expect.objectContaining({
      transId: reply().transactionResponse.transId,
      type: "authCaptureTransaction",
      status: "capturedPendingSettlement",
      amount: 49,
      invoiceNumber: "purchase-1",
      refId: "attempt-1",
      last4: "1111",
    }),
  ]);
});

test("a card token works once and for 15 minutes, also after a declined charge", async () => {
  const { api, gateway, tokenize, ledger } = await sandboxOfTest();
  const messageFor = async (token: string) => (await gateway(chargeOf(token))).reply().messages.message[0];
  const token = await tokenize();
  await gateway(chargeOf(token));
  expect(await messageFor(token)).toEqual({ code: "E00114", text: "Invalid OTS Token." });
  expect(await ledger()).toHaveLength(1);

  const declined = await tokenize({ zip: "46282" });
  expect((await gateway(chargeOf(declined, { invoiceNumber: "purchase-2" }))).reply()).toMatchObject({
    transactionResponse: { responseCode: "2", errors: [{ errorCode: "2" }] },
    messages: { resultCode: "Ok" },
  });
  expect((await messageFor(declined)).code).toBe("E00114");
  const foreign = Buffer.from(JSON.stringify({ code: "50_2_AA", token: "1", v: "1.1" })).toString("base64");
  expect((await messageFor(foreign)).code).toBe("E00116");
  expect((await messageFor("no token")).code).toBe("E00114");

  const old = await tokenize();
  await api("POST", "clock", { advance: "16m" });
  expect((await messageFor(old)).code).toBe("E00115");
});

test("elements out of order and a reference that is too long are refused with the gateway's text", async () => {
  const { gateway, tokenize, ledger } = await sandboxOfTest();
  const { createTransactionRequest } = chargeOf(await tokenize());
  const { transactionRequest, ...rest } = createTransactionRequest;
  const { transactionType, amount, payment } = transactionRequest;
  const disordered = { ...rest, transactionRequest: { transactionType, payment, amount } };
  const { messages } = (await gateway({ createTransactionRequest: disordered })).reply();
  expect(messages.resultCode).toBe("Error");
  expect(messages.message[0].code).toBe("E00003");
  expect(messages.message[0].text).toMatch(
    /^The element 'transactionRequest' in namespace '.+' has invalid child element 'amount' in namespace '.+'\. List of possible elements expected: 'profile, /,
  );
  expect(await ledger()).toEqual([]);
  const tooLong = (await gateway(chargeOf("x", { refId: "r".repeat(21) }))).reply();
  expect(tooLong.messages.message[0].text).toContain("The actual length is greater than the MaxLength value.");
});

test("an error never repeats a card number", async () => {
  const { gateway } = await sandboxOfTest();
  const token = { cardNumber: "4111 1111 1111 1111", expirationDate: "122099" };
  const byScript = { name: merchant.apiLoginId, clientKey: merchant.clientKey };
  const request = { merchantAuthentication: byScript, data: { type: "TOKEN", id: "1", token } };
  const { text } = await gateway({ securePaymentContainerRequest: request });
  expect(text).toContain("MaxLength");
  expect(text).not.toContain("1111");
});

test("wrong credentials, unknown requests and malformed JSON get the gateway's codes with status 200", async () => {
  const { gateway, call } = await sandboxOfTest();
  const codeOf = async (request: object | string) => {
    const { status, reply } = await gateway(request);
    return `${status} ${reply().messages.message[0].code}`;
  };
  const wrong = { ...merchantAuthentication, transactionKey: "sandbox-key-0002" };
  expect(await codeOf({ authenticateTestRequest: { merchantAuthentication } })).toBe("200 I00001");
  expect(await codeOf({ authenticateTestRequest: { merchantAuthentication: wrong } })).toBe("200 E00007");
  expect(await codeOf({ inventMoneyRequest: { merchantAuthentication } })).toBe("200 E00004");
  expect(await codeOf('{"createTransactionRequest":')).toBe("200 E00003");
  expect(await codeOf("[]")).toBe("200 E00003");
  expect(await codeOf(chargeOf("x", { order: { invoiceNumber: true } }))).toBe("200 E00003");
  expect(await codeOf(chargeOf("x", { transactionSettings: null }))).toBe("200 E00003");
  expect((await call("getMerchantDetailsRequest")).publicClientKey).toBe(merchant.clientKey);
});

test("a repeated charge gets code 11 within the duplicate window, and is approved after it", async () => {
  const { api, gateway, tokenize, ledger } = await sandboxOfTest();
  const transactionSettings = { setting: [{ settingName: "duplicateWindow", settingValue: "28800" }] };
  await gateway(chargeOf(await tokenize(), { transactionSettings }));
  const second = chargeOf(await tokenize(), { refId: "attempt-2", transactionSettings });
  expect((await gateway(second)).reply()).toMatchObject({
    transactionResponse: { responseCode: "3", transId: "0", errors: [{ errorCode: "11" }] },
    messages: { resultCode: "Error", message: [{ code: "E00027" }] },
  });
  expect(await ledger()).toHaveLength(1);

  await api("POST", "clock", { advance: "8h1s" });
  const third = chargeOf(await tokenize(), { refId: "attempt-3", transactionSettings });
  expect((await gateway(third)).reply().transactionResponse.responseCode).toBe("1");
});

test("staged outcomes apply to the next charges in order, and then the published triggers apply again", async () => {
  const { api, gateway, tokenize } = await sandboxOfTest();
  await api("POST", "gateway/next", { outcomes: ["decline", "decline-hard", "hold", "error-500", "malformed-after"] });
  const next = async (number: number) => gateway(chargeOf(await tokenize(), { invoiceNumber: `purchase-${number}` }));
  const judgements = [
    { responseCode: "2", errors: [{ errorCode: "2" }] },
    { responseCode: "2", errors: [{ errorCode: "4" }] },
    { responseCode: "4", messages: [{ code: "252" }] },
  ];
  for (const [at, judgement] of judgements.entries()) {
    expect((await next(at + 1)).reply().transactionResponse).toMatchObject(judgement);
  }
  expect((await next(4)).status).toBe(500);
  expect((await next(5)).reply).toThrow();
  const plain = await gateway(chargeOf(await tokenize({ cardCode: "901", zip: "46205" }), { invoiceNumber: "last" }));
  const judged = { responseCode: "1", avsResultCode: "N", cvvResultCode: "N" };
  expect(plain.reply().transactionResponse).toMatchObject(judged);
});

test("outcomes staged for a customer apply only to that customer, before general ones", async () => {
  const { api, gateway, transact, ...sandbox } = await sandboxOfTest();
  const charge = (email: string, invoiceNumber: string) => {
    const named = { order: { invoiceNumber }, customer: { id: invoiceNumber, email } };
    return sandbox.charge({ profile: { createProfile: true }, ...named });
  };
  const bought = await charge("ada@example.test", "ada-1");
  const { transId } = bought.transactionResponse;
  const profile = {
    customerProfileId: bought.profileResponse.customerProfileId,
    paymentProfile: { paymentProfileId: bought.profileResponse.customerPaymentProfileIdList[0] },
  };
  const staged = { outcomes: ["decline", "decline-hard", "error-500"], customerEmail: "Ada@example.test" };
  expect((await api("POST", "gateway/next", staged)).content).toEqual({ outcomes: staged.outcomes });
  await api("POST", "gateway/next", { outcomes: ["hold"] });
  const voiding = { transactionType: "voidTransaction", refTransId: transId };
  const voidAgain = () =>
    gateway({ createTransactionRequest: { merchantAuthentication, transactionRequest: voiding } });

  expect((await charge("bo@example.test", "bo-1")).transactionResponse.responseCode).toBe("4");
  expect((await charge("bo@example.test", "bo-2")).transactionResponse.responseCode).toBe("1");
  expect((await charge("ada@example.test", "ada-2")).transactionResponse.responseCode).toBe("2");
  const renewal = { transactionType: "authCaptureTransaction", amount: "49.00", profile };
  expect((await transact(renewal)).transactionResponse.errors).toMatchObject([{ errorCode: "4" }]);
  expect([(await voidAgain()).status, (await voidAgain()).status]).toEqual([500, 200]);

  await api("POST", "gateway/next", staged);
  await api("DELETE", "gateway/next");
  expect((await charge("ada@example.test", "ada-3")).transactionResponse.responseCode).toBe("1");
});

test("timeout-after charges exactly once and never answers; timeout-before charges nothing", async () => {
  const { api, sandbox, tokenize, ledger } = await sandboxOfTest();
  await api("POST", "gateway/next", { outcomes: ["timeout-before", "timeout-after", "reset-after"] });
  const charge = async (invoiceNumber: string, signal: AbortSignal | null = null) =>
    fetch(sandbox.gateway.apiUrl, {
      method: "POST",
      body: JSON.stringify(chargeOf(await tokenize(), { invoiceNumber })),
      signal,
    });
  const chargeUntil = async (invoiceNumber: string, outcomesLeft: number) => {
    const patience = new AbortController();
    const silence = expect(charge(invoiceNumber, patience.signal)).rejects.toThrow("no patience left");
    // A reply to the charge would arrive before the reply to this later request.
    await expect.poll(async () => (await api("GET", "gateway/next")).content.outcomes).toHaveLength(outcomesLeft);
    await ledger();
    patience.abort(new Error("no patience left"));
    await silence;
  };
  await chargeUntil("before", 2);
  expect(await ledger()).toEqual([]);
  await chargeUntil("after", 1);
  expect(await ledger()).toEqual([expect.objectContaining({ invoiceNumber: "after", responseCode: "1" })]);
  await expect(charge("reset")).rejects.toThrow("fetch failed");
  expect(await ledger()).toHaveLength(2);
});

test("details have the reference of the original request, and the unsettled list is paged newest first", async () => {
  const { gateway, call, tokenize } = await sandboxOfTest();
  const none = await call("getUnsettledTransactionListRequest", { paging: { limit: 10, offset: 1 } });
  expect(none.messages.message[0].code).toBe("I00004");
  expect(none).not.toHaveProperty("transactions");

  for (const number of [1, 2, 3]) {
    await gateway(chargeOf(await tokenize(), { refId: `attempt-${number}`, invoiceNumber: `purchase-${number}` }));
  }
  const sorting = { orderBy: "submitTimeUTC", orderDescending: true };
  const listed = async (offset: number) =>
    (await call("getUnsettledTransactionListRequest", { sorting, paging: { limit: 2, offset } })).transactions;
  const [newest, second] = await listed(1);
  expect([newest.invoiceNumber, second.invoiceNumber]).toEqual(["purchase-3", "purchase-2"]);
  expect(await listed(2)).toEqual([expect.objectContaining({ invoiceNumber: "purchase-1", settleAmount: 49 })]);

  expect(await call("getTransactionDetailsRequest", { refId: "look-up", transId: newest.transId })).toMatchObject({
    transaction: { transactionStatus: "capturedPendingSettlement", responseCode: 1, authAmount: 49 },
    transrefId: "attempt-3",
    refId: "look-up",
  });
  const missing = await call("getTransactionDetailsRequest", { transId: "999" });
  expect(missing.messages.message[0].code).toBe("E00040");
});

test("while reports are unavailable, charges go on and no list or detail is given", async () => {
  const { api, call, charge } = await sandboxOfTest();
  await api("POST", "gateway/reports", { reference: "unavailable" });
  const { responseCode, transId } = (await charge()).transactionResponse;
  expect(responseCode).toBe("1");
  const lookUp = () => call("getTransactionDetailsRequest", { transId });
  for (const { messages } of [await lookUp(), await call("getUnsettledTransactionListRequest")]) {
    expect(messages.message[0].code).toBe("E00053");
  }
  await api("POST", "gateway/reports", { reference: "told" });
  expect((await lookUp()).messages.message[0].code).toBe("I00001");
});
