import type { AcademyOnPages } from "#contract/academy.ts";
import { stylesOf } from "#contract/branding.ts";
import { sayAcademy } from "#ui/academy.ts";

/** Changes the academy, its colors and its style in the open document to what a reload would show. */
export function showAcademy(academy: AcademyOnPages): void {
  sayAcademy(academy);
  document.documentElement.toggleAttribute("data-plain", academy.isPlain === true);
  const known = document.getElementById("academy-look");
  const look = known ?? document.createElement("style");
  look.id = "academy-look";
  look.textContent = academy.colors ? stylesOf(academy.colors) : "";
  if (!known) document.head.append(look);
}
