import { cx } from "class-variance-authority";
import { escapeHtml, renderMarkup } from "#contract/markup.ts";
import { named } from "#ui/academy.ts";
import { support } from "#ui/frame/support.tsx";
import { rangeStyle, splitRanges } from "#ui/number-ranges.tsx";

interface ProseProps {
  /** In Markdown, with the marks `{academy}`, `{refundDays}` and `{email}`. */
  text: string;
  className?: string;
}

/** Renders an owner's formatted text. Its blocks are children of the element around it. */
export function Prose({ text, className }: ProseProps) {
  const html = renderMarkup(text, { text: htmlOf });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the parser escapes all text and checks all addresses
  return <div className={cx("prose contents", className)} dangerouslySetInnerHTML={{ __html: html }} />;
}

function htmlOf(text: string): string {
  const { address, link } = support();
  return text
    .split("{email}")
    .map((part) =>
      splitRanges(escapeHtml(named(part)))
        .map((words, at) => (at % 2 === 0 ? words : `<span class="${rangeStyle}">${words}</span>`))
        .join(""),
    )
    .join(`<a href="${escapeHtml(link)}">${escapeHtml(address)}</a>`);
}
