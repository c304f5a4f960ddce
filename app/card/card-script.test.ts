import { expect, test } from "vitest";
import { cardMessage } from "./card-script.ts";

test("wrong credentials show the same sentence under both of their codes", () => {
  const sentence =
    "Authentication failed. Please check that you are using valid test card numbers and credentials are properly configured.";
  expect(cardMessage([{ code: "E00007", text: "User authentication failed." }])).toBe(sentence);
  expect(cardMessage([{ code: "E_WC_21", text: "User authentication failed." }])).toBe(sentence);
});

test("an unsuccessful transaction asks to verify the card", () => {
  expect(cardMessage([{ code: "E00027", text: "The transaction was unsuccessful." }])).toBe(
    "Transaction unsuccessful. Please verify your card information and try again.",
  );
});

test("other errors show every code with its text", () => {
  expect(
    cardMessage([
      { code: "E_WC_05", text: "Please provide valid credit card number." },
      { code: "E_WC_15", text: "Please provide valid CVV." },
    ]),
  ).toBe("E_WC_05: Please provide valid credit card number., E_WC_15: Please provide valid CVV.");
  expect(cardMessage([])).toBe("Payment processing failed");
});
