import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { messageOf } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import { maxSearchLength } from "#contract/admin/admin.ts";
import { maxFound, type SearchResults, searchAdministration } from "#contract/admin/search.ts";
import { formatDollars } from "#contract/money.ts";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Input } from "#ui/controls/field.tsx";
import { Retry } from "#ui/feedback/retry.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { nameOf } from "../words.tsx";
import { useFoundPages } from "./pages.ts";

/** Milliseconds between the last keystroke and the search. */
const pause = 200;

interface Option {
  id: string;
  title: string;
  note: string;
  to: string;
  /** Leads to the whole list, and is no result. */
  isAll?: true;
}

interface Group {
  label: string;
  options: readonly Option[];
}

/** A combobox over people, purchases, lessons and pages. Enter waits until the results match what was typed. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState({ of: "", at: 0 });
  const [opensFirst, setOpensFirst] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...queryOf(searchAdministration, { query: { q: words } }),
    enabled: words !== "",
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const groups = useGroups(words === "" ? undefined : data, words);
  const options = groups.flatMap((group) => group.options);
  const at = chosen.of === words ? Math.min(chosen.at, options.length - 1) : 0;
  const isCurrent = typed.trim() === words && words !== "" && !isPlaceholderData && !isFetching;

  function search(text: string): void {
    window.clearTimeout(timer.current);
    setWords(text.trim());
  }

  function type(text: string): void {
    setTyped(text);
    setOpensFirst(false);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => search(text), text.trim() === "" ? 0 : pause);
  }

  function open(option: Option | undefined): void {
    if (!option) return;
    onClose();
    navigate(option.to);
  }

  const openFirst = useEffectEvent(() => {
    setOpensFirst(false);
    open(options[0]);
  });
  useEffect(() => {
    if (opensFirst && isCurrent) openFirst();
  }, [opensFirst, isCurrent]);

  function byKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length > 0) {
      event.preventDefault();
      const next = (at + step + options.length) % options.length;
      setChosen({ of: words, at: next });
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    // While an input method composes, Enter takes its word.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (isCurrent) open(options[at]);
    else {
      search(typed);
      setOpensFirst(true);
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Search">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Input
          type="search"
          role="combobox"
          aria-label="Search people, purchases and lessons"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Name, email, receipt or lesson"
          autoComplete="off"
          maxLength={maxSearchLength}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={byKey}
        />
        <p role="status" className="min-h-6 text-fine text-ink-soft">
          {words === ""
            ? "Finds people by name or email, purchases by buyer, receipt or transaction, lessons by their words, and pages of the administration."
            : isError
              ? messageOf(error, "The search didn’t work.")
              : isFetching && (isPlaceholderData || !data)
                ? "Searching"
                : options.length === 0
                  ? `Nothing matches “${words}”. Try fewer words, or just the start of a name.`
                  : formatCountOf(options.filter(({ isAll }) => !isAll).length, "result")}
        </p>
        {isError && <Retry size="small" retry={refetch} isRetrying={isFetching} />}
        <div className="-mx-2 h-[min(24rem,50dvh)] overflow-y-auto">
          <div id={`${id}-list`} role="listbox" aria-label="Results" aria-busy={isPlaceholderData}>
            {groups.map(({ label, options: ofGroup }) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox
              <div
                key={label}
                role="group"
                aria-labelledby={`${id}-${label}`}
                className={cx(isPlaceholderData && "opacity-60")}
              >
                <p id={`${id}-${label}`} className="printed px-2 pt-3 pb-1 text-ink-soft">
                  {label}
                </p>
                {ofGroup.map((option) => {
                  const index = options.indexOf(option);
                  return (
                    <Link
                      key={option.id}
                      id={`${id}-${index}`}
                      role="option"
                      tabIndex={-1}
                      aria-selected={index === at}
                      data-chosen={index === at || undefined}
                      to={option.to}
                      onClick={onClose}
                      onPointerMove={() => setChosen({ of: words, at: index })}
                      className="grid min-h-11 content-center rounded-sm border-transparent border-l-4 forced-colors:border-[Canvas] px-2 py-1.5 aria-selected:border-ink aria-selected:bg-sunken"
                    >
                      <span className="font-bold wrap-anywhere">{option.title}</span>
                      {option.note && <span className="text-fine text-ink-soft wrap-anywhere">{option.note}</span>}
                    </Link>
                  );
                })}
              </div>
            ))}
          </div>
        </div>
        <p className="text-fine text-ink-soft pointer-coarse:hidden">
          Arrow keys to move, Enter to open, Escape to close.
        </p>
      </div>
    </Dialog>
  );
}

/** The results with links, without empty groups. A full group ends with a link to its list. */
function useGroups(results: SearchResults | undefined, words: string): readonly Group[] {
  const mayEdit = useMay("content:write");
  const pages = useFoundPages(words);
  if (!results) return [];
  const { people, purchases, lessons } = results;
  const q = encodeURIComponent(words);
  const groups: Group[] = [
    {
      label: "People",
      options: [
        ...people.map((person) => ({
          id: person.id,
          title: nameOf(person),
          note: nameOf(person) === person.email ? "" : person.email,
          to: href.adminUser(person.id),
        })),
        ...allOf("people", people, `${href.admin("users")}&search=${q}`),
      ],
    },
    {
      label: "Purchases",
      options: [
        ...(purchases ?? []).map(({ id, userName, planName, amount, createdAt }) => ({
          id,
          title: `${planName}, ${formatDollars(amount)}`,
          note: `${userName}, ${formatShortDay(createdAt)}`,
          to: `${href.admin("purchases")}&purchase=${encodeURIComponent(id)}`,
        })),
        ...allOf("purchases", purchases ?? [], `${href.admin("purchases")}&search=${q}`),
      ],
    },
    { label: "Pages", options: pages },
    {
      label: "Lessons",
      options: lessons.map(({ id, title, moduleTitle }) => ({
        id,
        title,
        note: moduleTitle,
        to: mayEdit
          ? `/admin/content?edit=lesson.${encodeURIComponent(id)}`
          : `${href.dashboard()}?lesson=${encodeURIComponent(id)}`,
      })),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

function allOf(what: string, found: readonly unknown[], to: string): Option[] {
  return found.length < maxFound
    ? []
    : [{ id: `all ${what}`, title: `All ${what} that match`, note: "", to, isAll: true }];
}
