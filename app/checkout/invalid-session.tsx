import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

export function InvalidSession() {
  return (
    <StateCard
      level={1}
      title="Invalid session"
      actions={
        <a href={href.pricing()} className={buttonStyle({ variant: "tag", size: "large" })}>
          Back to pricing
        </a>
      }
    >
      <p>This link doesn't have a plan that's for sale. Please choose your plan again.</p>
    </StateCard>
  );
}
