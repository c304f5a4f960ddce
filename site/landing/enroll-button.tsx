import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";

/** Floats over the page after scrolling (`site/scripts/landing.ts`). */
export function EnrollButton() {
  return (
    <a
      href={href.section("pricing")}
      className={buttonStyle({
        variant: "tag",
        size: "medium",
        className: "!fixed right-5 bottom-[calc(var(--foot-bar)+1.25rem)] z-40 shadow-raised print:hidden",
      })}
    >
      Enroll Now
    </a>
  );
}
