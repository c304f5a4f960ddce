import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Spinner } from "#ui/spinner.tsx";

interface PageFrameProps {
  /** The document's title, complete. */
  title: string;
  /** One or two sentences for search engines and previews. */
  description: string;
  header?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Head, skip link, bar, main part and foot of a page. */
export function PageFrame({ title, description, header, footer, className, children }: PageFrameProps) {
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        {header}
        <main id="main" tabIndex={-1} className={cx("grow", className)}>
          {children}
        </main>
        {footer}
      </div>
    </>
  );
}

export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-100 -translate-y-20 rounded-sm bg-tag px-4 py-3 font-bold text-tag-ink focus-visible:translate-y-0"
    >
      Skip to the content
    </a>
  );
}

/** Stands in a page of the application until its scripts are there; where they do not come, it says what to do. */
export function ScriptsLoading() {
  return (
    <div className="noscript:hidden">
      <PageLoading />
      <p className="after-a-while fixed inset-x-0 bottom-0 p-(--margin) text-center">
        This page runs in your browser, and its scripts are not here yet. Check your connection and load it again.
      </p>
    </div>
  );
}

/** While a page's code is on its way. */
export function PageLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <p className="printed flex items-center gap-3 text-ink-soft">
        <Spinner className="text-lg" /> Loading
      </p>
    </div>
  );
}
