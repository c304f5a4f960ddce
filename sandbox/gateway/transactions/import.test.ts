import { expect, test } from "vitest";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const charge = {
  refId: "first",
  at: daysAgo(40),
  amountCents: 4900,
  invoiceNumber: "invoice-1",
  result: "approved",
  card: { brand: "Visa", last4: "4242", expiry: "2099-12", zip: "10001" },
  customer: { id: "student-1", email: "student@example.com", firstName: "Ada", lastName: "Quill" },
  keepsCard: true,
};
const renewal = { ...charge, refId: "second", at: daysAgo(10), invoiceNumber: "invoice-2", keptBy: "first" };
const { card: _, customer: __, keepsCard: ___, ...second } = renewal;
const others = [
  { ...second, refId: "third", at: daysAgo(9), result: "declined" },
  { ...second, refId: "fourth", at: daysAgo(8), result: "voided" },
  {
    ...{ refId: "fifth", at: daysAgo(7), amountCents: 1000, invoiceNumber: "invoice-5", result: "approved" },
    refundOf: "second",
  },
];

test("imported transactions are in the ledger in their current state, also after a second import", async () => {
  const { api, ledger } = await sandboxOfTest();
  const transactions = [charge, second, ...others];
  const { content: numbers } = await api("POST", "gateway/import", { transactions });
  expect((await api("POST", "gateway/import", { transactions })).content).toEqual(numbers);
  const rows = await ledger();
  const states = ["settledSuccessfully", "settledSuccessfully", "declined", "voided", "refundSettledSuccessfully"];
  expect(rows).toMatchObject(states.map((status, at) => ({ status, transId: numbers[at].transId })));
  expect(rows[4].refTransId).toBe(numbers[1].transId);
  expect(new Set(numbers.slice(0, 4).map((one: { paymentProfileId: string }) => one.paymentProfileId)).size).toBe(1);
});

test("a card stored by an imported charge can be charged, unless it was deleted", async () => {
  const { api, transact } = await sandboxOfTest();
  const forgotten = {
    ...{ ...charge, refId: "gone", forgotten: "card" },
    customer: { ...charge.customer, id: "student-2", email: "other@example.com" },
  };
  const { content } = await api("POST", "gateway/import", { transactions: [charge, forgotten] });
  const codes: string[] = [];
  for (const { customerProfileId, paymentProfileId } of content) {
    const profile = { customerProfileId, paymentProfile: { paymentProfileId } };
    const reply = await transact({ transactionType: "authCaptureTransaction", amount: "49.00", profile });
    codes.push(reply.transactionResponse?.responseCode ?? reply.messages.message[0].code);
  }
  expect(codes).toEqual(["1", "E00040"]);
});

test("an import that references an unknown charge is refused as a whole", async () => {
  const { api, ledger } = await sandboxOfTest();
  const refused = await api("POST", "gateway/import", { transactions: [charge, { ...others[2], refundOf: "nobody" }] });
  expect(refused).toMatchObject({ status: 400, content: { message: expect.stringContaining("does not have") } });
  expect((await api("POST", "gateway/import", { transactions: [{ refId: "x" }] })).status).toBe(400);
  expect(await ledger()).toEqual([]);
});
