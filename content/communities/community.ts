export interface CommunityInvite {
  title: string;
  /** Where the number of members is not told. */
  sentence: string;
  /** What goes on there. */
  channels: readonly { name: string; about: string }[];
  action: string;
  url: string;
}

/** The chat server of the students. */
export const community: CommunityInvite = {
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
