import { decimalAmount } from "#contract/money.ts";
import type { ProfileIds } from "../customers/profiles.ts";
import type { Transaction } from "../ledger.ts";
import { reply, textOf } from "../replies.ts";

/** `createTransactionRequest.transactionRequest`, already valid by the schema. */
export interface TransactionRequest {
  transactionType: string;
  amount?: string | number;
  payment?: {
    creditCard?: { cardNumber: string | number; expirationDate: string | number; cardCode?: string | number };
    opaqueData?: { dataDescriptor: string; dataValue: string };
  };
  profile?: {
    createProfile?: string | boolean;
    customerProfileId?: string | number;
    paymentProfile?: { paymentProfileId: string | number };
  };
  refTransId?: string | number;
  order?: { invoiceNumber?: string | number; description?: string };
  customer?: { id?: string | number; email?: string };
  billTo?: Record<string, string | number | undefined>;
  transactionSettings?: { setting?: Setting | Setting[] };
}

interface Setting {
  settingName?: string;
  settingValue?: string | number | boolean;
}

export function settingOf(request: TransactionRequest, name: string): string | null {
  const settings = [request.transactionSettings?.setting ?? []].flat();
  const value = settings.find((setting) => setting.settingName === name)?.settingValue;
  return value === undefined ? null : String(value);
}

/** Positive cents; null when the amount is missing or invalid. */
export function centsOf(amount: string | number | undefined): number | null {
  const cents = Math.round(Number(amount ?? 0) * 100);
  return Number.isSafeInteger(cents) && cents > 0 ? cents : null;
}

/** The reply about a transaction. `code` differs when the request had been done before. */
export function transactionReply(
  refId: string | null,
  transaction: Transaction,
  more: {
    code?: string;
    profile?: ProfileIds | null;
    profileResponse?: object | null;
    /** Cents that were requested from a prepaid card, which covered less. */
    requestedCents?: number | null;
  } = {},
): object {
  const { responseCode } = transaction;
  const code = more.code ?? transaction.reasonCode;
  const verdict =
    responseCode === "2" && more.code === undefined
      ? { errors: [{ errorCode: code, errorText: textOf(code) }] }
      : { messages: [{ code, description: textOf(code) }] };
  const transactionResponse = {
    responseCode: more.code === undefined ? responseCode : "1",
    authCode: transaction.authCode,
    avsResultCode: transaction.avs,
    cvvResultCode: transaction.cvv,
    cavvResultCode: "",
    transId: transaction.transId,
    refTransID: transaction.refTransId ?? "",
    ...marksOf(transaction),
    ...verdict,
    ...(more.requestedCents ? prepaidOf(more.requestedCents, transaction) : {}),
    transHashSha2: "",
    ...(more.profile ? { profile: wireIds(more.profile) } : {}),
    SupplementalDataQualificationIndicator: 0,
    ...(transaction.networkTransId ? { networkTransId: transaction.networkTransId } : {}),
  };
  return reply(refId, "I00001", {
    transactionResponse,
    ...(more.profileResponse ? { profileResponse: more.profileResponse } : {}),
  });
}

/** Response code 3: the gateway has no transaction. Staged, the same reply has response code 1. */
export function refusedReply(
  refId: string | null,
  request: TransactionRequest,
  reasonCode: string,
  card: { brand: string; last4: string } | null = null,
  responseCode: "1" | "3" = "3",
): object {
  const transactionResponse = {
    responseCode,
    authCode: "",
    avsResultCode: "P",
    cvvResultCode: "",
    cavvResultCode: "",
    transId: "0",
    refTransID: request.refTransId === undefined ? "" : String(request.refTransId),
    ...(card ? marksOf(card) : { transHash: "", testRequest: "0", accountNumber: "", accountType: "" }),
    errors: [{ errorCode: reasonCode, errorText: textOf(reasonCode) }],
    transHashSha2: "",
    SupplementalDataQualificationIndicator: 0,
  };
  return reply(refId, "E00027", { transactionResponse });
}

function prepaidOf(requestedCents: number, { amountCents }: Transaction): object {
  const prePaidCard = {
    requestedAmount: decimalAmount(requestedCents),
    approvedAmount: decimalAmount(amountCents),
    balanceOnCard: "0.00",
  };
  return { prePaidCard };
}

function marksOf({ brand, last4 }: { brand: string; last4: string }) {
  return { transHash: "", testRequest: "0", accountNumber: `XXXX${last4}`, accountType: brand };
}

function wireIds({ customerProfileId, paymentProfileId }: ProfileIds): object {
  return { customerProfileId, customerPaymentProfileId: paymentProfileId };
}
