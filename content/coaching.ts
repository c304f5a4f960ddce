/** The coaching of the demo academy: who coaches and when, what was held, and what is to come. */
export const coaching = {
  displayName: "Dana",
  timeZone: "Europe/Berlin",
  /** `{id}` becomes a room that nobody can guess. */
  meetingUrl: "https://meet.example.com/academy-{id}",
  hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, fromTime: "15:00", toTime: "20:00" })),
  /** Of the session that Lifetime Access has booked. */
  prep: "Stuck on a toaster: rank 40,000, three sellers, and the price halved twice in spring. Do I buy ten?",
  held: {
    prep: "I found two board games and my sums do not agree with the app.",
    summary:
      "We went through both games with the fees in order. The first leaves $2.10 after storage, so leave it; the second leaves $9.40 at the ordinary price.\n\nNext: write ninety days of price history beside every product on your list, and bring the three you would buy.",
  },
  /** Of who comes to the next group session. */
  question: "How many units do you buy the first time?",
  group: [
    {
      title: "Reading price history together",
      about: "Bring one product. We read ninety days of rank and price on the screen and decide whether to buy.",
      inDays: -12,
      recording: { videoId: "sample:lesson-2-2", seconds: 41 },
    },
    {
      title: "Your first shipment, step by step",
      about: "Prep, labels and boxes, with time for every question. Bring the first thing you would send.",
      inDays: 6,
      recording: null,
    },
  ],
} as const;
