/**
 * Keeps React working on a page that the browser translates. A translator replaces texts with elements of its own. React
 * would fail to remove a replaced text or to insert beside it, and would change texts that nobody sees.
 */
export function followTranslations(): void {
  const standIns = new WeakMap<Node, Node>();
  const changes = new MutationObserver((records) => {
    for (const { target } of records) {
      const standIn = standIns.get(target);
      if (!target.isConnected) standIn?.parentNode?.replaceChild(target, standIn);
    }
  });
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      const [text] = removedNodes;
      if (text?.nodeType !== Node.TEXT_NODE || text.isConnected) continue;
      // Replaced in one step, or removed after its translation was put beside it.
      const standIn = addedNodes[0] ?? [previousSibling, nextSibling].find((node) => node?.nodeName === "FONT");
      if (!standIn) continue;
      standIns.set(text, standIn);
      changes.observe(text, { characterData: true });
    }
  }).observe(document, { childList: true, subtree: true });

  const inPlace = (parent: Node, node: Node) => {
    const standIn = node.parentNode === parent ? node : standIns.get(node);
    return standIn?.parentNode === parent ? standIn : node;
  };
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(child: Child): Child {
    removeChild.call(this, inPlace(this, child));
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(child: Child, before: Node | null): Child {
    insertBefore.call(this, child, before && inPlace(this, before));
    return child;
  };
}
