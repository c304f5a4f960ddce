/** The demo academy's coaching: the coach with hours, past sessions and upcoming ones. */
export const coaching = {
  displayName: "Dana",
  timeZone: "Europe/Berlin",
  /** `{id}` is replaced by the name of a room that nobody can guess. */
  meetingUrl: "https://meet.example.com/academy-{id}",
  hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, fromTime: "15:00", toTime: "20:00" })),
  /** The preparation for the session that the student with Lifetime Access has booked. */
  prep: "Stuck after lesson 2-3: I know all the steps, and still do not begin. What do I do on the first day?",
  held: {
    prep: "I did the exercise of lesson 1-3 twice and my results do not agree.",
    summary:
      "We went through both results line by line. The first one leaves a step out, the second is right.\n\nNext: do it a third time with numbers of your own, and bring what surprised you.",
  },
  /** The question of a student who attends the next group session. */
  question: "How much time do you take for it the first time?",
  group: [
    {
      title: "Working through module 2 together",
      about: "Bring one question. We answer it on the screen, step by step.",
      inDays: -12,
      recording: { videoId: "sample:lesson-2-2", seconds: 41 },
    },
    {
      title: "Your first month, step by step",
      about: "What to do in which order, with time for every question. Bring the first thing that you made.",
      inDays: 6,
      recording: null,
    },
  ],
} as const;
