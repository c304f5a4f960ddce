import { type FormEvent, type KeyboardEvent, Suspense, useEffect, useRef, useState } from "react";
import type { Module } from "#contract/catalogue.ts";
import { Input } from "#ui/controls/field.tsx";
import { late } from "#ui/feedback/late.tsx";

const [SearchResults, fetchResults] = late("the search", () => import("./results.tsx"));

/** Searches lessons by title, description and transcript. The key `/` focuses it from anywhere on the page. */
export function CourseSearch({ modules }: { modules: readonly Module[] }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const field = useFocusBySlash();
  const panel = useRef<HTMLDivElement>(null);
  const words = useDebounced(typed.trim());

  function byKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === "Escape" && isOpen) {
      setIsOpen(false);
      field.current?.focus();
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
      className="relative w-full sm:max-w-96 lg:w-96"
      onKeyDown={byKey}
      onClick={({ target }) => {
        // Closes when a result is followed.
        if ((target as Element).closest("a")) setIsOpen(false);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <form onSubmit={takeFirst}>
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

/** A field that the key `/` focuses, unless the user is typing elsewhere. */
function useFocusBySlash() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const isShortcut = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isWriting =
        event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
      if (!isShortcut || isWriting) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, []);
  return field;
}

const debounceMilliseconds = 300;

/** The text, once typing has paused. The server answers thirty searches a minute. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
