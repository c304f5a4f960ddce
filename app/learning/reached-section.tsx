import { type ReactNode, useCallback, useState } from "react";

interface ReachedSectionProps {
  id: string;
  title: string;
  /** Until then. */
  fallback: ReactNode;
  children: ReactNode;
}

/** A section of the lesson's page whose content is rendered when the student reaches it. */
export function ReachedSection({ id, title, fallback, children }: ReachedSectionProps) {
  const { ref, isReached } = useReached();
  return (
    <section ref={ref} aria-labelledby={id} className="grid min-w-0 gap-4 border-line border-t pt-5 print:hidden">
      <h3 id={id} tabIndex={-1} className="wide scroll-mt-4 text-heading">
        {title}
      </h3>
      {isReached ? children : fallback}
    </section>
  );
}

/** Whether the element has come on the screen. */
function useReached() {
  const [isReached, setIsReached] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    // Without a margin: on phones the first section begins just below the screen, and would always load.
    // A busy browser reports several changes in one call.
    const seen = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) setIsReached(true);
    });
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  return { ref, isReached };
}
