import { type ReactNode, useEffect, useRef, useState } from "react";

interface ReachedSectionProps {
  id: string;
  title: string;
  /** Until then. */
  fallback: ReactNode;
  children: ReactNode;
}

/** A section of the lesson's page whose content is rendered when the student reaches it. */
export function ReachedSection({ id, title, fallback, children }: ReachedSectionProps) {
  const place = useRef<HTMLElement>(null);
  const [isReached, setIsReached] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    // Without a margin: on phones the first section begins just below the screen, and would always load.
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsReached(true));
    seen.observe(place.current);
    return () => seen.disconnect();
  }, []);
  return (
    <section ref={place} aria-labelledby={id} className="grid min-w-0 gap-4 border-line border-t pt-5 print:hidden">
      <h3 id={id} className="wide text-heading">
        {title}
      </h3>
      {isReached ? children : fallback}
    </section>
  );
}
