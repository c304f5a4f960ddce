interface Correspondence {
  readonly message: string;
  readonly answer: string;
}

/** Messages to the team in the demo's history, with the replies. */
export const correspondence: readonly Correspondence[] = [
  {
    message:
      "Hi! I bought Monthly Access yesterday. Is there a reason modules 4 and 5 show a lock? I thought I get everything.",
    answer:
      "Thanks for asking. Monthly Access opens modules 1 to 3. Module 4 comes with Annual Access and module 5 with Lifetime Access; both are still being produced.",
  },
  {
    message:
      "My card was replaced by the bank and your email says the payment did not go through. Where do I enter the new one?",
    answer:
      "Sign in, open your profile and choose the payment method of your membership, or use the link in the email. The new card is charged once and your next 30 days begin right away.",
  },
  {
    message: "Do you offer a student discount? I am at a community college and $49 is a lot at once.",
    answer:
      "We have no student discount at the moment. The two free lessons on the front page may help you decide before you spend anything.",
  },
  {
    message: "The first download shows a negative number in the last column. Is it broken or am I?",
    answer:
      "It is most likely a dollar sign in front of a number: enter plain numbers. If it still looks wrong, answer this email with the row that you typed.",
  },
  {
    message: "Can I watch the lessons on my phone while I am on the train? The WiFi in there is terrible.",
    answer:
      "Yes, the lessons play in any phone browser. There is no download for offline watching, so we suggest to read the transcript: it loads with a weak connection too.",
  },
  {
    message: "I would like to cancel before the next renewal. Do I lose access immediately?",
    answer:
      "No. Cancel in your profile at any time; the course stays open until the end of the days that you paid for.",
  },
  {
    message:
      "Hello, I run a small workshop in Ohio and could offer your students a discount. Who do I talk to about a partnership?",
    answer:
      "Thank you for the offer. We do not recommend single businesses in the course, but we have noted your address for the day we do.",
  },
  {
    message:
      "I finished module 3 and tried all of it myself, and it worked the first time! Just wanted to say thank you to whoever made the second lesson.",
    answer:
      "That made our day, thank you! We have passed it on to the people who made the lesson. Good luck with module 4.",
  },
  {
    message: "I signed up with my work address by mistake. Can you change it to my private one?",
    answer:
      "You can do that yourself: open the account page of the sign-in service from your profile, enter the new address and confirm it by the link that we send there.",
  },
  {
    message: "Is the seven day refund counted from the purchase or from the first lesson watched?",
    answer:
      "From the purchase. Write to us within seven days of your first payment and we return it, however much you watched.",
  },
  {
    message: "When will module 4 be ready? I upgraded to Annual because of it.",
    answer:
      "We are recording it now and expect to open it in the coming months. You will be told by email. Its download is there already.",
  },
  {
    message: "The captions of lesson 2-2 are great, could you make the transcript printable as well?",
    answer: "Good idea. Printing the page works today, without the player; a tidier version is on our list.",
  },
  {
    message: "I was charged twice this month?! One on the 3rd and one on the 4th.",
    answer:
      "We looked it up: there is one charge of $49 on your account. The other line is a reservation that your bank releases within a few days. If it does not, please send us the line of your statement.",
  },
  {
    message: "Do I need a company before I start? Lesson 1-2 does not say it clearly.",
    answer:
      "No, many people begin as individuals. We cannot give tax advice, but the lesson lists what is asked for in both cases.",
  },
  {
    message: "Could you send an invoice with my company name on it? My accountant insists.",
    answer:
      "Each payment has a receipt as a PDF in your profile, under purchases. It carries your name as in the profile; tell us if your accountant needs more than that.",
  },
  {
    message: "My account says on hold and I do not understand why. I have been a member since spring.",
    answer:
      "The last renewals were declined by your bank. A new card in your profile opens the course again right away.",
  },
  {
    message: "Which app do you use in lesson 2-1? I could not read the name on the screen.",
    answer: "The lesson works with any app of its kind. We avoid naming one, since they change often.",
  },
  {
    message: "The video in lesson 1-3 stops after ten seconds on my old tablet. Laptop is fine.",
    answer:
      "Thank you for the report. Please update the browser of the tablet; if it still stops, tell us the model and we look into it.",
  },
  {
    message: "Is there a family plan? My husband and I watch together but would like our own progress.",
    answer: "There is none yet: each account is for one person. Watching together is of course fine.",
  },
  {
    message: "I am a journalist writing about people who learn at home. Could I interview one of your instructors?",
    answer: "Gladly. Please send us your questions and your deadline, and we find somebody who answers them.",
  },
  {
    message:
      "Please delete my account and everything you know about me. The course was fine, I just do not need it anymore.",
    answer:
      "You can delete it yourself at the bottom of your profile, which is the quickest way. If you prefer that we do it, answer this email and we will.",
  },
  {
    message: "What is a good first project for somebody with a very small apartment?",
    answer: "The smallest one that you would be proud of. Lesson 1-5 has a list of questions that decide it quickly.",
  },
  {
    message: "I finished all the lessons of Lifetime. How do I book the 1-on-1 coaching?",
    answer:
      "Congratulations! Answer this email with two or three times that suit you, and the coach confirms one of them.",
  },
  {
    message: "Does the monthly plan work outside the US? I am in Windsor, just over the border.",
    answer: "You can take the course from anywhere. The prices in the examples are those of the US.",
  },
  {
    message: "Forgot my password, and the reset email took about ten minutes. All good now, just telling you.",
    answer: "Thank you for telling us. Mail providers hold messages back now and then; we have had a look at our side.",
  },
  {
    message: "Could the second download get a column for the weight in kilograms?",
    answer: "It has free columns on the right for exactly that. We will think about adding it for everybody.",
  },
  {
    message: "Are the results in the testimonials typical? I would rather know before I pay.",
    answer:
      "They are what these students told us and no promise. Most people begin with a few lessons and see whether they like the work.",
  },
  {
    message: "How long do I keep Annual Access if I buy it today while Monthly is still running?",
    answer:
      "Annual Access begins right away and runs for 365 days. Monthly Access stops renewing at the same moment, so you do not pay for both.",
  },
];

/** Messages without a reply. Some were deleted. */
export const unwanted: readonly string[] = [
  "We make websites rank on page one, guaranteed. Reply YES for a free audit of your business.",
  "Dear sir or madam, buy verified seller accounts in bulk, best prices, contact us today.",
  "Your domain expires soon! Confirm your details within 24 hours to keep it.",
];
