/** Stands at the foot of a page that shows what is drafted. Its style is its own: visitors' pages carry nothing of it. */
export function PreviewBand() {
  return (
    <p role="status" style={look}>
      Preview of what is saved as a draft. Visitors do not see it.
    </p>
  );
}

const look = {
  position: "sticky",
  bottom: 0,
  zIndex: 50,
  padding: "1rem",
  background: "var(--tag)",
  color: "var(--tag-ink)",
  fontWeight: 700,
  textAlign: "center",
} as const;
