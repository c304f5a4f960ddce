/** The items with one of them right before another; null when either is missing. */
export function movedBefore<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
  before: string,
): Item[] | null {
  const moved = items.find((one) => one.id === id);
  const order = items.filter((one) => one !== moved);
  const index = order.findIndex((one) => one.id === before);
  return moved && index >= 0 ? order.toSpliced(index, 0, moved) : null;
}
