import { href } from "../addresses.ts";
import { PageLink } from "../navigation/navigation.tsx";
import { useScrolledPast } from "../ui/browser-state.ts";
import { buttonStyle } from "../ui/controls/button.tsx";

/** Pixels of scrolling after which the button floats over the page. */
const appearsAfter = 500;

export function EnrollButton() {
  const isVisible = useScrolledPast(appearsAfter);
  if (!isVisible) return null;
  return (
    <PageLink
      to={href.section("pricing")}
      className={buttonStyle({
        variant: "tag",
        size: "medium",
        className: "enroll !fixed right-5 bottom-[calc(var(--foot-bar)+1.25rem)] z-40 shadow-raised",
      })}
    >
      Enroll Now
    </PageLink>
  );
}
