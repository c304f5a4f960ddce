import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import type { Editing } from "#app/editing/editing.ts";
import { Button } from "#ui/controls/button.tsx";
import { Checkbox, Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Icon } from "#ui/icon.tsx";

/** A value that is being edited, and the names that the form and the server use for its parts. */
export interface Written<Value> extends Editing<Value> {
  nameOf: (field: string) => string;
}

type FieldsWith<Value, Kind> = { [Name in keyof Value]: Value[Name] extends Kind ? Name : never }[keyof Value] & string;

interface LineProps<Value> {
  in: Written<Value>;
  field: FieldsWith<Value, string | null>;
  label: string;
  hint?: ReactNode;
  max: number;
  /** 1 makes a single-line field. */
  rows?: number;
  /** Whether an empty field becomes null. */
  isOptional?: boolean;
  className?: string;
}

export function Line<Value>({
  in: written,
  field,
  label,
  hint,
  max,
  rows = 1,
  isOptional = false,
  className,
}: LineProps<Value>) {
  const name = written.nameOf(field);
  const control = {
    value: (written.value[field] as string | null) ?? "",
    maxLength: max,
    onChange: ({ target }: { target: { value: string } }) =>
      written.change({ [field]: isOptional ? target.value || null : target.value } as Partial<Value>),
  };
  return (
    <Field label={label} hint={hint} name={name} error={written.errorOf(name)} {...(className && { className })}>
      {rows === 1 ? <Input {...control} /> : <Textarea rows={rows} {...control} />}
    </Field>
  );
}

interface SwitchProps<Value> {
  in: Written<Value>;
  field: FieldsWith<Value, boolean>;
  label: string;
}

export function Switch<Value>({ in: { value, change }, field, label }: SwitchProps<Value>) {
  return (
    <Checkbox
      label={label}
      checked={value[field] as boolean}
      onChange={({ target }) => change({ [field]: target.checked } as Partial<Value>)}
    />
  );
}

type ListIn<Value> = FieldsWith<Value, { id: string }[]>;
type EntryOf<Value, Name extends keyof Value> = Value[Name] extends (infer Entry extends { id: string })[]
  ? Entry
  : never;

interface EntriesProps<Value, Name extends ListIn<Value>> {
  in: Written<Value>;
  field: Name;
  /** The heading of the list. */
  title: string;
  /** What an entry is called, such as "review". */
  what: string;
  least?: number;
  most: number;
  empty: Omit<EntryOf<Value, Name>, "id">;
  titleOf: (entry: EntryOf<Value, Name>) => string;
  children: (entry: Written<EntryOf<Value, Name>>) => ReactNode;
}

/** A list of entries to open, add, remove and move up and down, all by buttons. */
export function Entries<Value, Name extends ListIn<Value>>(props: EntriesProps<Value, Name>) {
  type Entry = EntryOf<Value, Name>;
  const { in: written, field, title, what, least = 0, most, empty, titleOf, children } = props;
  const [said, say] = useState("");
  const [added, setAdded] = useState<string | null>(null);
  const entries = written.value[field] as Entry[];
  const put = (changed: Entry[]) => written.change({ [field]: changed } as Partial<Value>);

  function add(): void {
    const id = `new-${Date.now().toString(36)}`;
    put([...entries, { id, ...empty } as Entry]);
    setAdded(id);
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

  function remove(at: number, entry: HTMLElement | null): void {
    const next = (entry?.nextElementSibling ?? entry?.previousElementSibling)?.querySelector("summary");
    const fallback = entry?.closest("fieldset")?.querySelector<HTMLElement>("[data-add]");
    const gone = entries[at];
    flushSync(() => put(entries.filter((_, other) => other !== at)));
    (next ?? fallback)?.focus();
    say(`${(gone && titleOf(gone)) || what} was removed.`);
  }

  const fault = written.errorOf(written.nameOf(field));
  return (
    <fieldset className="grid gap-3 border-line border-t pt-5">
      <legend className="float-left mb-1 w-full font-bold text-heading">{title}</legend>
      <ol className="grid gap-2">
        {entries.map((entry, at) => {
          const name = `${written.nameOf(field)}.${at}`;
          const own: Written<Entry> = {
            value: entry,
            change: (changes) => put(entries.map((one, other) => (other === at ? { ...one, ...changes } : one))),
            errorOf: written.errorOf,
            nameOf: (part) => `${name}.${part}`,
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
            <li key={entry.id} className="relative rounded-sm border-[1.5px] border-line bg-surface">
              <Opened
                isNew={entry.id === added}
                hasFault={written.errorOf(name) !== null}
                title={`${at + 1}. ${called}`}
              >
                {children(own)}
              </Opened>
              <span className="absolute top-1 right-1 flex">
                {mover("up", at - 1)}
                {mover("down", at + 1)}
                <IconButton
                  label={`Remove ${called}`}
                  name="cross"
                  isOff={entries.length <= least}
                  onPress={(button) => remove(at, button.closest("li"))}
                />
              </span>
            </li>
          );
        })}
      </ol>
      {fault && entries.length === 0 && <p className="font-semibold text-danger text-fine">{fault}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" size="small" data-add disabled={entries.length >= most} onClick={add}>
          Add a {what}
        </Button>
        <p role="status" className="min-w-0 text-ink-soft text-sm wrap-anywhere">
          {said || `${entries.length} of at most ${most}`}
        </p>
      </div>
    </fieldset>
  );
}

interface OpenedProps {
  title: string;
  /** Starts open, with the focus in its first field. */
  isNew: boolean;
  /** Stays open while it contains an error. */
  hasFault: boolean;
  children: ReactNode;
}

function Opened({ title, isNew, hasFault, children }: OpenedProps) {
  const [isOpen, setIsOpen] = useState(isNew);
  return (
    <details
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

function IconButton({ label, name, isOff, onPress }: IconButtonProps) {
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
