import { type ReactNode, useEffect, useRef, useState } from "react";

interface ReachedSectionProps {
  id: string;
  title: string;
  /** Until the student comes near. */
  fallback: ReactNode;
  children: ReactNode;
}

/** A section of the lesson's page whose content is rendered when the student comes near it. */
export function ReachedSection({ id, title, fallback, children }: ReachedSectionProps) {
  const place = useRef<HTMLElement>(null);
  const [isReached, setIsReached] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsReached(true), {
      rootMargin: "200px",
    });
    near.observe(place.current);
    return () => near.disconnect();
  }, []);
  return (
    <section ref={place} aria-labelledby={id} className="grid min-w-0 gap-4 border-line border-t pt-5">
      <h3 id={id} className="wide text-heading">
        {title}
      </h3>
      {isReached ? children : fallback}
    </section>
  );
}
