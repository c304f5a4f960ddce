import type { Claim } from "../landing/landing.ts";

export interface CommunityInvite extends Claim {
  /** As the stat card shows it. */
  count: string;
  /** As the sentence says it. */
  members: string;
  title: string;
  sentence: string;
  /** What goes on there. */
  channels: readonly { name: string; about: string }[];
  action: string;
  url: string;
}

/** The chat server of the students. How many they are is the owner's to back: the software does not count them. */
export const community: CommunityInvite = {
  claim: true,
  count: "2.1k",
  members: "2,100+ members",
  title: "Join the student chat",
  sentence:
    "A chat server with 2,100+ members who scan the same shelves as you. Ask while you stand in the aisle, show what you found, and read what worked for others this week.",
  channels: [
    { name: "finds", about: "What turned up today, with the sum behind it" },
    { name: "prep-table", about: "Photos of labels, bags and boxes before they leave" },
    { name: "ask-a-coach", about: "Questions that the coaches answer on weekdays" },
  ],
  action: "Join the chat server",
  url: "https://chat.academy.test/invite",
};
