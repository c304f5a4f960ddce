import type { Page } from "@playwright/test";
import { expect, expectLive, holdBack, signInAs, test } from "./academy.ts";
import { fillCard } from "./forms.ts";

const annual = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";

/** As browsers translate: each text, also one that comes later, is replaced by an element with other words. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const isText = (node: Node): node is Text => node instanceof Text && /\p{L}/u.test(node.data);
    const translateIn = (root: Node) => {
      const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode()) if (isText(node)) found.push(node);
      for (const text of found) {
        if (text.parentElement?.closest("font, script, style, textarea, noscript, svg")) continue;
        const words = document.createElement("font");
        words.append(document.createElement("font"));
        words.firstElementChild?.append(text.data.toUpperCase());
        text.replaceWith(words);
      }
    };
    translateIn(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) translateIn(node);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

test("a translated checkout keeps its form after a declined card, and shows each text once", async ({
  page,
  academy,
}) => {
  await signInAs(page, await academy.visitor().signUp(), annual);
  const pay = page.getByRole("button", { name: /^pay/i });
  await expect(pay).toBeEnabled();
  await translate(page);
  await fillCard(page, "46282");
  await pay.click();
  await expect(page.getByRole("alert").getByText("PAYMENT FAILED")).toBeVisible();
  await expect(pay).toHaveText("PAY $397.00");
  await expect(page.getByLabel("Card Number")).toHaveValue("4111 1111 1111 1111");
});

test("a contact form keeps what was typed, whenever it is translated, and says what came of it", async ({ page }) => {
  await page.goto("/contact");
  await expectLive(page);
  await page.getByLabel("Name").fill("Nora Quill");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("alert").getByText("Required")).toHaveCount(2);
  await translate(page);
  await page.getByLabel("Email").fill("nora@example.test");
  await page.getByLabel("Message").fill("Do you ship?");
  await page.route("**/api/contact", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: /send message/i }).click();
  await expect(page.getByText("FAILED TO SEND MESSAGE.").first()).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("Do you ship?");
  await page.getByRole("button", { name: /send message/i }).click();
  await expect(page.getByText("YOUR MESSAGE HAS BEEN SENT SUCCESSFULLY.").first()).toBeVisible();

  // A page that is translated before its scripts run keeps what was typed and pressed.
  const message = page.getByLabel("Message");
  const begin = async () => {
    const letRun = await holdBack(page, "**/assets/*.js");
    await page.goto("/contact", { waitUntil: "commit" });
    await page.getByLabel("Name").fill("Nora Quill");
    await translate(page);
    await page.getByLabel("Email").fill("nora@example.test");
    await message.fill("Do you?");
    return letRun;
  };
  let letRun = await begin();
  await message.press("ArrowLeft");
  letRun();
  await expectLive(page);
  await page.keyboard.type(" ship");
  await expect(message).toHaveValue("Do you ship?");

  letRun = await begin();
  await message.press("Tab");
  await message.evaluate((field) => field.setAttribute("data-first", ""));
  letRun();
  await expect(page.locator("[data-first]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /send message/i })).toBeFocused();

  letRun = await begin();
  await page.getByRole("button", { name: /send message/i }).click();
  letRun();
  await expect(page.getByText("YOUR MESSAGE HAS BEEN SENT SUCCESSFULLY.").first()).toBeVisible();
});
