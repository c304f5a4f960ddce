/** Apart from what the pages' scripts carry along: nothing here changes once a page is there. */
export const smallPrint = {
  about: "{academy} teaches retail arbitrage to people who have never sold anything online.",
  independence:
    "{academy} is an independent training company. It is not affiliated with, endorsed by or sponsored by Amazon. Amazon and FBA are trademarks of Amazon.com, Inc. or its affiliates.",
} as const;

export const resultsDisclaimer = {
  title: "About results",
  text: "This is training and not a promise of income. What you earn depends on your time, your capital, the stores near you, marketplace rules and prices that change every day. Examples use round numbers to show a method. Testimonials describe one person’s experience. You can lose money buying inventory; spend only what you can afford to lose, and ask a qualified adviser about tax and legal questions.",
} as const;
