import { cx } from "class-variance-authority";

/** A user's picture, or the initials of `name`. Decorative, so the name must be shown beside it. */
export function Avatar({ name, imageUrl, className }: { name: string; imageUrl: string | null; className?: string }) {
  const circleStyle = cx("size-10 shrink-0 rounded-full border-[1.5px] border-ink", className);
  if (imageUrl) return <img src={imageUrl} alt="" className={cx(circleStyle, "object-cover")} />;
  return (
    <span
      aria-hidden="true"
      className={cx(circleStyle, "narrow grid place-items-center bg-kraft text-kraft-ink text-lg")}
    >
      {initialsOf(name)}
    </span>
  );
}

/** "Marisol Vega" → "MV", "marisol@example.com" → "M" */
function initialsOf(name: string): string {
  const words = name.split("@", 1)[0]?.split(/\s+/).filter(Boolean) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase();
}
