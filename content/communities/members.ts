export interface CommunityMembers {
  /** The claim's id, for listing, backing and withdrawing it. */
  claim: string;
  /** In the stat card's form. */
  count: string;
  /** In the sentence's form. */
  members: string;
  sentence: string;
}

/**
 * The number of members of the students' chat server. The server sends it to pages, whose scripts do not contain it.
 */
export const communityMembers: CommunityMembers = {
  claim: "community-members",
  count: "2.1k",
  members: "2,100+ members",
  sentence:
    "A chat server with 2,100+ members who scan the same shelves as you. Ask while you stand in the aisle, show what you found, and read what worked for others this week.",
};
