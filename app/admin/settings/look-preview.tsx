import { cx } from "class-variance-authority";
import type { CSSProperties } from "react";
import { type Colors, railTokensOf, tokensOf } from "#contract/branding.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { Icon } from "#ui/icon.tsx";
import plainStyle from "#ui/styles/plain.css?inline";

interface LookPreviewProps {
  name: string;
  colors: Colors;
  logo: { src: string; width: number; height: number; alt: string } | null;
  isPlain: boolean;
}

/** Parts of the pages as they would look in both color schemes, before anything is saved. */
export function LookPreview(props: LookPreviewProps) {
  return (
    <section aria-label="Preview" className="grid gap-4 sm:grid-cols-2 xl:sticky xl:top-6 xl:grid-cols-1">
      {props.isPlain && <style>{plainStyle}</style>}
      <Scheme scheme="light" title="Light mode" {...props} />
      <Scheme scheme="dark" title="Dark mode" {...props} />
    </section>
  );
}

interface SchemeProps extends LookPreviewProps {
  scheme: "light" | "dark";
  title: string;
}

function Scheme({ scheme, title, name, colors, logo, isPlain }: SchemeProps) {
  const isDark = scheme === "dark";
  const rail = railTokensOf(colors) as CSSProperties;
  const sign = logo ? (
    <img {...logo} alt="" className={cx("h-auto max-h-8 w-auto max-w-36", isDark && "bg-[#fffefb]")} />
  ) : (
    <strong className="wide wrap-anywhere">{name}</strong>
  );
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 font-bold text-sm">{title}</figcaption>
      <div
        data-plain={isPlain || undefined}
        style={tokensOf(colors) as CSSProperties}
        className={cx(
          isDark ? "scheme-dark" : "scheme-light",
          "overflow-hidden rounded-md border border-line-strong bg-canvas text-ink",
        )}
      >
        <div className="flex min-h-12 items-center border-line border-b bg-surface px-4 py-2">{sign}</div>
        <div className="flex flex-wrap items-center gap-3 p-4">
          <span className={buttonStyle({ variant: "tag", size: "small" })}>Enroll now</span>
          <span className={buttonStyle({ size: "small" })}>Save</span>
          <Badge tone="tag">New</Badge>
          <span className="rounded-sm bg-stamp px-2 py-0.5 text-sm text-stamp-ink">Sale</span>
          <Icon name="check" className="size-5 stroke-[2.5] text-scan" />
          <span className="block h-3 w-full overflow-hidden rounded-sm border-[1.5px] border-ink bg-surface">
            <span className="block h-full w-2/5 border-scan border-r-2 bg-tag" />
          </span>
        </div>
        <p style={rail} className="bg-rail px-4 py-3 text-rail-ink text-sm">
          On a dark background: <span className="font-bold text-tag">a link</span>
        </p>
      </div>
    </figure>
  );
}
