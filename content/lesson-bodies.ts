/** The seeded lessons' texts in Markdown, by lesson id. */
export const lessonBodies: Readonly<Record<string, string>> = {
  "lesson-1-1": `## The sum of this lesson

A board game stands on a clearance shelf for **$12.00**, and sells online for **$29.99**. That looks like $18. It is not.

| What | Amount |
|---|---:|
| Online price | $29.99 |
| Shelf price | −$12.00 |
| Referral fee, 15% | −$4.50 |
| Fulfillment | −$5.40 |
| Shipping it in | −$0.60 |
| **What is left** | **$7.49** |

The amounts are examples. Look up today's fees before you buy.

## Do it yourself

1. Take one thing from a shelf at home, and find what it sells for online.
2. Subtract every fee, in the order of the table.
3. Write down what is left *before* you look at the next one.

> If you can't do the sum in a minute, leave it on the shelf.

The next lesson is about [opening your account](/dashboard?lesson=lesson-1-2).`,
  "lesson-1-2": `## Have these on the table

- A government ID that is valid for at least six months
- A bank statement or a utility bill, not older than 90 days
- A credit card that works for international charges
- A phone that can receive text messages

Write your address **the same way** on all of them. A mismatch holds up most applications.

### Which plan

| | Individual | Professional |
|---|---|---|
| Fixed cost | none | a monthly fee |
| Each sale | a small extra fee | none |
| Good for | fewer than 40 sales a month | everything above |`,
  "lesson-1-5": `## Spread $200

1. Keep **$40** back for tape, labels and boxes.
2. Spend at most **$25** on one product.
3. Write down each purchase on the same day: what, where, how many, at what price.

One mistake then costs you an eighth of the budget, and never all of it.`,
};
