import type { AcademyOnPages } from "#contract/academy.ts";
import { stylesOf } from "#contract/branding.ts";
import { sayAcademy } from "#ui/academy.ts";
import plainStyle from "#ui/styles/plain.css?inline";

/** Changes the academy, its colors and its style in the open document to what a reload would show. */
export function showAcademy(academy: AcademyOnPages): void {
  sayAcademy(academy);
  document.documentElement.toggleAttribute("data-plain", academy.isPlain === true);
  putStyle("academy-look", academy.colors ? stylesOf(academy.colors) : "");
  putStyle("plain-style", academy.isPlain ? plainStyle : "");
}

function putStyle(id: string, text: string): void {
  const known = document.getElementById(id);
  const style = known ?? document.createElement("style");
  style.id = id;
  style.textContent = text;
  if (!known) document.head.append(style);
}
