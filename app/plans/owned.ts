import { alreadyOwned } from "#contract/purchases/sentences.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { academy, planName } from "#ui/academy.ts";

/** What an owner of `owned` should know before paying for `wanted`. Null when there is nothing to say. */
export function ownedSentence(wanted: Tier, owned: Tier | null): string | null {
  if (owned === null || tierRank(owned) < tierRank(wanted)) return null;
  if (isOwned(wanted, owned)) return alreadyOwned(wanted, owned, academy().planNames);
  return `You have ${planName("premium")}. If you pay again, we’ll add 365 days to it.`;
}

/** Whether the server would refuse to sell `wanted`. Only a year can be bought again. */
export function isOwned(wanted: Tier, owned: Tier | null): boolean {
  if (owned === null || tierRank(owned) < tierRank(wanted)) return false;
  return owned !== wanted || wanted !== "premium";
}
