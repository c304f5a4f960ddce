import { expect, test } from "vitest";
import { actionWords } from "./audit-words.ts";

test("an action of the audit log reads as part of a sentence, with the amount of a refund", () => {
  const words = (action: string, after: unknown = null) =>
    actionWords({ action, after })
      .filter((part) => part !== undefined)
      .join("Ana");
  expect(words("hold account")).toBe("put Ana on hold");
  expect(words("refund purchase", { amount: "49.00" })).toBe("refunded $49.00 of Ana");
  expect(words("withdraw claims", { claims: ["500+ students"] })).toBe("took 1 claim off the pages");
  expect(words("reply to message")).toBe("replied to the message from Ana");
  expect(words("destroy draft")).toBe("destroyed draft: Ana");
  expect(words("publish module")).toBe("published the module Ana");
  expect(words("discard draft of settings")).toBe("discarded the draft of the settings");
  expect(words("export sign-ups")).toBe("exported a list: sign-ups");
});

test("an action on what has no name to show reads as a sentence without its id", () => {
  const unnamed = ["delete message", "delete resource", "schedule group session", "undo many", "repair disputed"];
  for (const action of unnamed) expect(actionWords({ action, after: null })).toEqual([expect.any(String), undefined]);
});
