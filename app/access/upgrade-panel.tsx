import { href } from "#contract/addresses.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { UpgradeTotal } from "./upgrade-total.tsx";

/** Names the plan that unlocks this part of the course, shows its price for an upgrade, and links to it. */
export function UpgradePanel({ tier, what }: { tier: Tier; what: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-sm bg-kraft-soft p-5 text-ink">
      <div className="max-w-[44ch]">
        <p>
          {what} is included in <strong>{planName(tier)}</strong>.
        </p>
        <UpgradeTotal tier={tier} />
      </div>
      <a href={href.pricing(tier)} className={buttonStyle({ variant: "tag" })}>
        See {planName(tier)}
      </a>
    </div>
  );
}
