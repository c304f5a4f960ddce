import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { maxSearchLength } from "#contract/admin/admin.ts";
import { Input, Select } from "#ui/controls/field.tsx";

/** Milliseconds between the last keystroke and the search. */
const pause = 300;

/** Searches once typing pauses. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // The URL may also change without typing here, such as by going back.
  if (known !== value) {
    setKnown(value);
    if (value !== sent) setTyped(value);
  }

  function type(text: string): void {
    setTyped(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const wanted = text.trim();
      if (wanted === value) return;
      setSent(wanted);
      onChange(wanted);
    }, pause);
  }

  return (
    <div className="min-w-0 grow basis-full @3xl:basis-52">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Input
        id={id}
        type="search"
        value={typed}
        maxLength={maxSearchLength}
        placeholder={label}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  );
}

interface FilterProps {
  label: string;
  value: string;
  /** Values with their labels. The empty value means all. */
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

export function Filter({ label, value, options, onChange }: FilterProps) {
  return (
    <div className="grow basis-32 sm:max-w-52 sm:basis-40">
      <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  );
}

export function FilterBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container">
      <search aria-label={label} className="flex flex-wrap items-end gap-3 pb-4 max-sm:gap-2">
        {children}
      </search>
    </div>
  );
}
