/** The students' chat server. The sentence is shown where the number of members is not. */
export const chat = {
  title: "Join the student chat",
  sentence:
    "A chat server for students who scan the same shelves as you. Ask while you stand in the aisle, show what you found, and read what worked for others this week.",
  channels: [
    { name: "finds", about: "What turned up today, with the sum behind it" },
    { name: "prep-table", about: "Photos of labels, bags and boxes before they leave" },
    { name: "ask-a-coach", about: "Questions that the coaches answer on weekdays" },
  ],
  action: "Join the chat server",
  url: "https://chat.academy.test/invite",
};
