import { cx } from "class-variance-authority";
import type { ReactNode } from "react";

interface PageFrameProps {
  /** The complete title of the document. */
  title: string;
  /** One or two sentences for search engines and previews. */
  description: string;
  header?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A page's head, skip link, bar, main content and footer. */
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
      className="fixed top-2 left-2 z-100 -translate-y-20 rounded-sm bg-tag px-4 py-3 font-bold text-tag-ink focus-visible:translate-y-0 print:hidden"
    >
      Skip to the content
    </a>
  );
}
