import { expect, test } from "vitest";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";

async function openSandbox() {
  const running = await sandboxOfTest();
  const call = (name: string, content: object = {}) => running.call(name, { refId: "ref-1", ...content });
  /** By a charge that stores its card. */
  const createCustomer = async (): Promise<{ customerProfileId: string; customerPaymentProfileId: string }> => {
    const billTo = { firstName: "Ada", lastName: "Byron" };
    const { profileResponse } = await running.charge({ profile: { createProfile: true }, customer: student, billTo });
    const { customerProfileId, customerPaymentProfileIdList } = profileResponse;
    return { customerProfileId, customerPaymentProfileId: customerPaymentProfileIdList[0] };
  };
  const addCard = async (customerProfileId: string, more: { card?: object; billTo?: object; mode?: string } = {}) =>
    call("createCustomerPaymentProfileRequest", {
      customerProfileId,
      paymentProfile: { customerType: "individual", billTo: more.billTo, payment: await running.pay(more.card) },
      validationMode: more.mode ?? "liveMode",
    });
  return { ...running, call, createCustomer, addCard };
}

const codeIn = (reply: { messages: { message: { code: string }[] } }) => reply.messages.message[0]?.code;
const student = { id: "student-1", email: "ada@academy.test" };

test("a customer is created by a charge, read, and deleted", async () => {
  const { call, createCustomer } = await openSandbox();
  const { customerProfileId, customerPaymentProfileId } = await createCustomer();
  const read = await call("getCustomerProfileRequest", { customerProfileId });
  const creditCard = { cardNumber: "XXXX1111", expirationDate: "XXXX", cardType: "Visa" };
  expect(read.profile).toEqual({
    paymentProfiles: [
      {
        customerPaymentProfileId,
        payment: { creditCard },
        customerType: "individual",
        billTo: expect.objectContaining({ firstName: "Ada", lastName: "Byron" }),
      },
    ],
    profileType: "regular",
    customerProfileId,
    merchantCustomerId: student.id,
    email: student.email,
  });
  const ids = { customerProfileId, customerPaymentProfileId };
  expect((await call("getCustomerPaymentProfileRequest", ids)).paymentProfile).toMatchObject({
    payment: { creditCard },
  });

  expect(codeIn(await call("deleteCustomerPaymentProfileRequest", ids))).toBe("I00001");
  expect(codeIn(await call("deleteCustomerPaymentProfileRequest", ids))).toBe("E00040");
  expect(codeIn(await call("getCustomerPaymentProfileRequest", ids))).toBe("E00040");
  expect(codeIn(await call("deleteCustomerProfileRequest", { customerProfileId }))).toBe("I00001");
  expect(codeIn(await call("deleteCustomerProfileRequest", { customerProfileId }))).toBe("E00040");
  expect(codeIn(await call("getCustomerProfileRequest", { customerProfileId }))).toBe("E00040");
});

test("a card is added once, and only to an existing customer", async () => {
  const { createCustomer, addCard } = await openSandbox();
  const { customerProfileId } = await createCustomer();
  const added = await addCard(customerProfileId);
  expect(Object.keys(added)).toEqual([
    "customerProfileId",
    "customerPaymentProfileId",
    "validationDirectResponse",
    "refId",
    "messages",
  ]);
  const fields = added.validationDirectResponse.split(",");
  expect([fields.length, fields[0], fields[50], fields[51]]).toEqual([68, "1", "XXXX1111", "Visa"]);
  const { customerPaymentProfileId } = added;
  const again = await addCard(customerProfileId);
  expect([codeIn(again), again.customerPaymentProfileId]).toEqual(["E00039", customerPaymentProfileId]);
  expect(codeIn(await addCard(customerProfileId, { billTo: { lastName: "Lovelace" } }))).toBe("I00001");
  const declined = await addCard(customerProfileId, { card: { zip: "46282" } });
  expect([codeIn(declined), declined.validationDirectResponse.split(",")[0]]).toEqual(["E00027", "2"]);
  expect(codeIn(await addCard("900009999"))).toBe("E00040");
  expect(codeIn(await addCard(customerProfileId, { mode: "wishful" }))).toBe("E00003");
});

test("a charge's card is stored from its transaction", async () => {
  const { call, api, ...sandbox } = await openSandbox();
  const charge = async (invoiceNumber: string) =>
    (await sandbox.charge({ order: { invoiceNumber } })).transactionResponse.transId as string;
  const transId = await charge("one");
  const from = (content: object) => call("createCustomerProfileFromTransactionRequest", content);
  const customer = { merchantCustomerId: "student-1" };
  const made = await from({ transId, customer });
  expect(codeIn(made)).toBe("I00001");
  expect((await from({ transId, customer })).messages.message[0].text).toContain(`ID ${made.customerProfileId}`);
  expect(codeIn(await from({ transId, customerProfileId: made.customerProfileId }))).toBe("E00039");
  expect(codeIn(await from({ transId, customerProfileId: "900009999" }))).toBe("E00040");
  expect(codeIn(await from({ transId: "999", customer }))).toBe("E00099");
  const nobody = await charge("two");
  expect(codeIn(await from({ transId: nobody }))).toBe("E00102");
  expect(codeIn(await from({ transId: nobody, customer: { email: "someone@academy.test" } }))).toBe("I00001");
  await api("POST", "gateway/next", { outcomes: ["decline"] });
  expect(codeIn(await from({ transId: await charge("three"), customer }))).toBe("E00100");
});
