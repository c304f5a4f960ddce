import { cx } from "class-variance-authority";
import "#ui/styles/prose.css";

/** A formatted text, as the server rendered it. */
export function FormattedText({ html, className }: { html: string; className?: string }) {
  return (
    <div
      className={cx("prose grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere", className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: contract/markup.ts escapes all text and checks all addresses
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
