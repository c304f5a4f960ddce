import { cx } from "class-variance-authority";
import { type FormEvent, type KeyboardEvent, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Module } from "#contract/catalogue.ts";
import { Input } from "#ui/controls/field.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Icon } from "#ui/icon.tsx";
import { useDebounced } from "./debounced.ts";

const [SearchResults, fetchResults] = late("the search", () => import("./results.tsx"));

/**
 * Searches lessons by title, description and transcript. The key `/` focuses it from anywhere on the page. Narrow
 * windows show the field only after a press on its icon.
 */
export function CourseSearch({ modules }: { modules: readonly Module[] }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const icon = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const words = useDebounced(typed.trim());
  useSlash(show);

  function show(): void {
    // The field must be there before it can take the focus.
    flushSync(() => setIsShown(true));
    field.current?.focus();
    field.current?.select();
  }

  function byKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === "Escape" && isOpen) {
      setIsOpen(false);
      // Only narrow windows have the icon.
      (icon.current?.offsetParent ? icon : field).current?.focus();
      setIsShown(false);
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops: (HTMLElement | null)[] = [field.current, ...(panel.current?.querySelectorAll("a") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** Enter opens the first result. */
  function takeFirst(event: FormEvent): void {
    event.preventDefault();
    panel.current?.querySelector("a")?.click();
  }

  return (
    <search
      className="lg:relative lg:w-96 lg:shrink-0"
      onKeyDown={byKey}
      onClick={({ target }) => {
        // Closes when a result is followed.
        if ((target as Element).closest("a")) setIsOpen(false);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return;
        setIsOpen(false);
        setIsShown(false);
      }}
    >
      <button
        ref={icon}
        type="button"
        aria-label="Search"
        aria-expanded={isShown}
        onClick={show}
        className="-mr-[12px] grid size-[48px] shrink-0 place-items-center lg:hidden"
      >
        <Icon name="search" className="size-[20px]" />
      </button>
      <form
        onSubmit={takeFirst}
        className={cx(
          "lg:relative max-lg:absolute max-lg:inset-x-0 max-lg:top-0 max-lg:z-20",
          !isShown && "max-lg:hidden",
        )}
      >
        <Input
          ref={field}
          type="search"
          aria-label="Search the course"
          aria-keyshortcuts="/"
          placeholder="Search lessons and transcripts"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setIsOpen(true);
          }}
          onFocus={() => {
            setIsOpen(true);
            fetchResults();
          }}
          className="peer"
        />
        <span
          aria-hidden="true"
          className="printed pointer-events-none absolute top-2.5 right-3 hidden rounded-sm border border-line-strong bg-surface px-2 py-0.5 text-ink-soft sm:peer-[:placeholder-shown:not(:focus)]:block"
        >
          /
        </span>
      </form>
      {/* Focusable, so that a click on it moves the focus within the search, which then stays open. */}
      <div ref={panel} tabIndex={-1}>
        <Suspense>{isOpen && words !== "" && <SearchResults words={words} modules={modules} />}</Suspense>
      </div>
    </search>
  );
}

/** Listens for the key `/`, unless the user is typing. */
function useSlash(onSlash: () => void): void {
  const answer = useEffectEvent(onSlash);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isShortcut = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isWriting =
        event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
      if (!isShortcut || isWriting) return;
      event.preventDefault();
      answer();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
