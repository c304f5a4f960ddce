import { Suspense, useEffect, useState } from "react";
import { useMay } from "#app/identity/may.tsx";
import { Button } from "#ui/controls/button.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Icon } from "#ui/icon.tsx";

const [SearchDialog, fetchDialog] = late("the search", () => import("./search-dialog.tsx"));

/** Opens the search over people, purchases and lessons. The key `/` does so too. */
export function SearchButton() {
  const [isOpen, setIsOpen] = useState(false);
  const maySearch = useMay("people:read");
  // The course has a listener of its own: a shared file would be one more request of each student's page.
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      // A letter where somebody types. Not over another dialog, whose unsaved text it would hide.
      if (target.closest("input, textarea, select, [contenteditable]") || document.querySelector("[role=dialog]"))
        return;
      event.preventDefault();
      setIsOpen(true);
    };
    window.addEventListener("keydown", open);
    return () => window.removeEventListener("keydown", open);
  }, []);
  if (!maySearch) return null;
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-keyshortcuts="/"
        aria-haspopup="dialog"
        onPointerEnter={fetchDialog}
        onClick={() => setIsOpen(true)}
        className="max-lg:min-w-11 max-lg:px-2"
      >
        <Icon name="search" className="size-4" />
        <span className="max-lg:sr-only">Search</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
