import { type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "#ui/controls/button.tsx";
import { OpenAll } from "#ui/controls/open-all.tsx";
import { Icon } from "#ui/icon.tsx";
import { entriesOf } from "./control.ts";
import { faultOf, pathOf, schemaOf, type Written } from "./written.ts";

type ListIn<Value> = { [Name in keyof Value]: Value[Name] extends object[] ? Name : never }[keyof Value] & string;
type EntryOf<List> = List extends (infer Entry extends object)[] ? Entry : never;

interface EntriesProps<Value, Name extends ListIn<Value>> {
  form: Written<Value>;
  name: Name;
  /** The heading of the list. */
  title: string;
  hint?: ReactNode;
  /** What an entry is called, such as "review". */
  what: string;
  /** Defaults to the first field of an entry. */
  titleOf?: (entry: EntryOf<Value[Name]>) => string;
  /** Shows the fields in place of a title that opens them. They need a label that names the entry. */
  isFlat?: boolean;
  children: (entry: Written<EntryOf<Value[Name]>>) => ReactNode;
}

/** A new entry's id. The server replaces it. */
export function newId(): string {
  return `new-${Date.now().toString(36)}`;
}

/** A list of entries to open, add and remove, and to move up and down if they have ids, all by buttons. */
export function Entries<Value, Name extends ListIn<Value>>(props: EntriesProps<Value, Name>) {
  type Entry = EntryOf<Value[Name]> & { id?: string };
  const { form, name, title, hint, what, isFlat, children } = props;
  const { schema, hasIds, least, most, empty } = entriesOf(schemaOf(form, name));
  const isFixed = least === most;
  const [first = ""] = Object.keys(empty);
  const titleOf = props.titleOf ?? ((entry: Entry) => String(entry[first as keyof Entry]));
  const hintId = useId();
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState("");
  const [added, setAdded] = useState<string | number | null>(null);
  const entries = form.value[name] as Entry[];
  const put = (changed: Entry[]) => form.change({ [name]: changed } as Partial<Value>);

  function add(): void {
    const id = newId();
    put([...entries, { ...(hasIds && { id }), ...empty } as Entry]);
    setAdded(hasIds ? id : entries.length);
    say(`A ${what} was added at the end.`);
  }

  function move(from: number, to: number, button: HTMLElement): void {
    const order = [...entries];
    const [entry] = order.splice(from, 1);
    if (!entry || to < 0 || to > order.length) return;
    order.splice(to, 0, entry);
    flushSync(() => put(order));
    // Browsers drop the focus of an element that is moved in the document.
    button.focus();
    say(`${titleOf(entry) || what} is number ${to + 1} of ${order.length} now.`);
  }

  function remove(at: number, button: HTMLElement): void {
    const list = button.closest("ol");
    const gone = entries[at];
    flushSync(() => put(entries.filter((_, other) => other !== at)));
    const next = list?.children[Math.min(at, list.children.length - 1)]?.querySelector("summary");
    (next ?? list?.parentElement?.querySelector<HTMLElement>("[data-add]"))?.focus();
    say(`${(gone && titleOf(gone)) || what} was removed.`);
  }

  const fault = faultOf(form, name);
  return (
    <fieldset aria-describedby={hint ? hintId : undefined} className="grid gap-3 border-line border-t pt-5">
      <legend className="float-left mb-1 w-full font-bold text-heading">{title}</legend>
      {hint && (
        <p id={hintId} className="text-fine text-ink-soft">
          {hint}
        </p>
      )}
      <OpenAll list={list} count={isFlat ? 0 : entries.length} label={title} className="justify-self-end" />
      <ol ref={list} className="grid gap-2">
        {entries.map((entry, at) => {
          const key = entry.id ?? at;
          const own: Written<Entry> = {
            schema,
            value: entry,
            change: (changes) => put(entries.map((one, other) => (other === at ? { ...one, ...changes } : one))),
            path: `${pathOf(form, name)}.${at}`,
            faults: form.faults,
          };
          const called = titleOf(entry) || `New ${what}`;
          const mover = (way: "up" | "down", to: number) => (
            <IconButton
              label={`Move ${called} ${way}`}
              name={way}
              isOff={to < 0 || to >= entries.length}
              onPress={(button) => move(at, to, button)}
            />
          );
          return (
            <li key={key} className="relative rounded-sm border-[1.5px] border-line bg-surface">
              {isFlat ? (
                <div className="py-3 pr-22 pl-3">{children(own)}</div>
              ) : (
                <Opened
                  isNew={key === added}
                  hasFault={faultOf(form, `${name}.${at}`) !== undefined}
                  name={`${what} ${at + 1}`}
                  title={`${at + 1}. ${called}`}
                >
                  {children(own)}
                </Opened>
              )}
              <span className="absolute top-1 right-1 flex">
                {hasIds && mover("up", at - 1)}
                {hasIds && mover("down", at + 1)}
                {!isFixed && (
                  <IconButton
                    label={`Remove ${called}`}
                    name="cross"
                    isOff={entries.length <= least}
                    onPress={(button) => remove(at, button)}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {fault && entries.length === 0 && <p className="font-semibold text-danger text-fine">{fault}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {!isFixed && (
          <Button variant="outline" size="small" data-add disabled={entries.length >= most} onClick={add}>
            Add a {what}
          </Button>
        )}
        <p role="status" className="min-w-0 text-ink-soft text-sm wrap-anywhere">
          {said || (!isFixed && `${entries.length} of at most ${most}`)}
        </p>
      </div>
    </fieldset>
  );
}

interface OpenedProps {
  /** Of the group of fields. */
  name: string;
  title: string;
  /** Starts open, with the focus in its first field. */
  isNew: boolean;
  /** Stays open while it contains an error. */
  hasFault: boolean;
  children: ReactNode;
}

function Opened({ name, title, isNew, hasFault, children }: OpenedProps) {
  const [isOpen, setIsOpen] = useState(isNew);
  return (
    <details
      aria-label={name}
      ref={(details) => {
        if (isNew && details && !details.contains(document.activeElement)) focusFirst(details);
      }}
      open={isOpen || hasFault}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group/entry"
    >
      <summary className="flex min-h-11 list-none items-center gap-3 py-2 pr-31 pl-3 font-semibold text-sm wrap-anywhere [&::-webkit-details-marker]:hidden">
        <Icon name="down" className="w-3 shrink-0 transition-transform group-open/entry:rotate-180" />
        {title}
      </summary>
      <div className="grid gap-4 px-3 pt-2 pb-4">{children}</div>
    </details>
  );
}

const focused = new WeakSet<Element>();

/** Only once: later renders must not move the focus. */
function focusFirst(details: Element): void {
  if (focused.has(details)) return;
  focused.add(details);
  details.querySelector<HTMLElement>("input, textarea, select")?.focus();
}

interface IconButtonProps {
  label: string;
  name: "up" | "down" | "cross";
  isOff: boolean;
  onPress: (button: HTMLElement) => void;
}

export function IconButton({ label, name, isOff, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      // Not `disabled`: the button keeps the focus when its entry reaches an end of the list.
      aria-disabled={isOff}
      onClick={({ currentTarget }) => {
        if (!isOff) onPress(currentTarget);
      }}
      className="grid size-9 place-items-center rounded-sm hover:bg-sunken aria-disabled:opacity-30"
    >
      <Icon name={name} className="w-3" />
    </button>
  );
}
