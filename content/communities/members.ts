export interface CommunityMembers {
  /** The id by which it is listed, backed and taken off. */
  claim: string;
  /** As the stat card shows it. */
  count: string;
  /** As the sentence says it. */
  members: string;
  sentence: string;
}

/** How many the chat server of the students has. Pages get it from the server: no script of theirs knows it. */
export const communityMembers: CommunityMembers = {
  claim: "community-members",
  count: "2.1k",
  members: "2,100+ members",
  sentence:
    "A chat server with 2,100+ members who scan the same shelves as you. Ask while you stand in the aisle, show what you found, and read what worked for others this week.",
};
