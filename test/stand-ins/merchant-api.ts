import { merchant } from "#sandbox/gateway/gateway.ts";

export const merchantAuthentication = { name: merchant.apiLoginId, transactionKey: merchant.transactionKey };

/** A request of the merchant to the gateway of the sandbox at this address, such as by the gateway's own pages. */
export async function askGateway(url: string, name: string, content: object = {}) {
  const response = await fetch(`${url}/sandbox/gateway/xml/v1/request.api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ [name]: { merchantAuthentication, ...content } }),
  });
  return JSON.parse((await response.text()).replace(/^\uFEFF/, ""));
}

/** The same of one transaction. */
export function transact(url: string, transactionRequest: object, refId = "ref-1") {
  return askGateway(url, "createTransactionRequest", { refId, transactionRequest });
}
