import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CardForm,
  cardDataOf,
  cardFields,
  caretAfterDigits,
  digitsOf,
  expiryYears,
  groupCardNumber,
  isAmericanExpress,
  missingFields,
  months,
} from "./card-form.ts";

const filled: CardForm = {
  firstName: " Ada ",
  lastName: "Byron",
  email: "ada@example.test",
  cardNumber: "4111 1111 1111 1111",
  expMonth: "04",
  expYear: "2031",
  cvv: "900",
  zip: "90210",
};

test("a card number is grouped in fours and cut to 19 characters", () => {
  expect(groupCardNumber("4111-1111/1111 1111")).toBe("4111 1111 1111 1111");
  expect(groupCardNumber("41111111111111112222")).toBe("4111 1111 1111 1111");
  expect(groupCardNumber("4111 ")).toBe("4111");
  expect(groupCardNumber("card")).toBe("");
});

test("an American Express number has 15 digits in groups of 4, 6 and 5", () => {
  expect(groupCardNumber("37000000000000 2")).toBe("3700 000000 00002");
  expect(groupCardNumber("3412 3456")).toBe("3412 3456");
  expect(groupCardNumber("34123456789012345")).toBe("3412 345678 90123");
  expect(["34", "3700 0", "30", "3", "4", ""].map(isAmericanExpress)).toEqual([true, true, false, false, false, false]);
});

test("grouping is idempotent and loses no digit of the card", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      const grouped = groupCardNumber(text);
      expect(groupCardNumber(grouped)).toBe(grouped);
      expect(digitsOf(grouped)).toBe(digitsOf(text).slice(0, isAmericanExpress(text) ? 15 : 16));
    }),
  );
});

test("the caret stays after the typed digit", () => {
  expect(caretAfterDigits("4111 1111", 0)).toBe(0);
  expect(caretAfterDigits("4111 1111", 4)).toBe(4);
  expect(caretAfterDigits("4111 1111", 5)).toBe(6);
  expect(caretAfterDigits("4111 1111", 20)).toBe(9);
});

test("every field is required, and spaces count as empty", () => {
  expect(missingFields(filled, cardFields)).toEqual([]);
  expect(missingFields({ ...filled, zip: "  ", firstName: "" }, cardFields)).toEqual(["firstName", "zip"]);
});

test("months are 01 to 12, years are this year and the next seven", () => {
  expect(months).toHaveLength(12);
  expect([months[0], months[11]]).toEqual(["01", "12"]);
  expect(expiryYears(2026)).toEqual(["2026", "2027", "2028", "2029", "2030", "2031", "2032", "2033"]);
});

test("the gateway's script gets the number without spaces and an accepted name", () => {
  expect(cardDataOf(filled)).toEqual({
    cardNumber: "4111111111111111",
    month: "04",
    year: "2031",
    cardCode: "900",
    zip: "90210",
    fullName: "Ada Byron",
  });
  expect(cardDataOf({ ...filled, lastName: "x".repeat(90) }).fullName).toHaveLength(64);
});
