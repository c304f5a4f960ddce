import { chromium, type Page } from "@playwright/test";
import { expect, onTestFinished, test } from "vitest";
import { chromiumPath } from "#test/chromium.ts";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";

interface AcceptReply {
  readonly opaqueData?: { dataDescriptor: string; dataValue: string };
  readonly messages: { resultCode: string; message: { code: string; text: string }[] };
}

const card = { cardNumber: "4111111111111111", month: "12", year: "2099", cardCode: "123", zip: "46201" };

test("Accept.js turns a card into a token in a real browser, and refuses with the codes of the real script", async () => {
  const { url, sandbox, charge } = await sandboxOfTest();
  const browser = await chromium.launch({ executablePath: await chromiumPath() });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${url}/checkout`);
  const { scriptUrl, apiLoginId, clientKey } = sandbox.gateway;

  await page.addScriptTag({ url: scriptUrl });
  await page.waitForFunction("window.isReady === true");
  const authData = { apiLoginID: apiLoginId, clientKey };
  const reply = await dispatch(page, { authData, cardData: card });
  expect(reply.messages).toEqual({ resultCode: "Ok", message: [{ code: "I_WC_01", text: "Successful." }] });
  expect(reply.opaqueData?.dataDescriptor).toBe("COMMON.ACCEPT.INAPP.PAYMENT");

  const { transactionResponse } = await charge({ payment: { opaqueData: reply.opaqueData } });
  expect(transactionResponse).toMatchObject({ responseCode: "1", avsResultCode: "A" });

  const everythingWrong = { ...card, cardNumber: "4111", month: "13", year: "1", cardCode: "12" };
  expect(await codesOf(page, { authData: {}, cardData: everythingWrong })).toEqual([
    ...["E_WC_05", "E_WC_07", "E_WC_06", "E_WC_10", "E_WC_18", "E_WC_15"],
  ]);
  expect(await codesOf(page, { authData, cardData: { ...card, year: "2020" } })).toEqual(["E_WC_08"]);
  expect(await codesOf(page, { authData })).toEqual(["E_WC_04"]);
  expect(await codesOf(page, { authData: { ...authData, clientKey: "wrong" }, cardData: card })).toEqual(["E_WC_21"]);
  const spaced = { ...card, cardNumber: "4111 1111 1111 1111" };
  expect(await codesOf(page, { authData, cardData: spaced })).toEqual(["E_WC_20"]);

  await page.reload();
  await page.addScriptTag({ url: `${scriptUrl}?v=1` });
  await page.waitForFunction("window.isReady === true");
  expect(await codesOf(page, { authData, cardData: card })).toEqual(["E_WC_01"]);
});

async function codesOf(page: Page, secureData: object): Promise<string[]> {
  const { messages } = await dispatch(page, secureData);
  expect(messages.resultCode).toBe("Error");
  for (const { text } of messages.message) expect(text).not.toBe("");
  return messages.message.map(({ code }) => code);
}

/** Calls the script as a checkout does, with the name of a global function for a handler. */
function dispatch(page: Page, secureData: object): Promise<AcceptReply> {
  return page.evaluate(
    (data) =>
      new Promise<AcceptReply>((resolve) => {
        const world = globalThis as unknown as {
          Accept: { dispatchData(data: object, handler: string): void };
          onToken: (reply: AcceptReply) => void;
        };
        world.onToken = resolve;
        world.Accept.dispatchData(data, "onToken");
      }),
    secureData,
  );
}
