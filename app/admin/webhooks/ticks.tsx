import type { ReactNode } from "react";
import { faultOf, type Written } from "#app/editing/written.ts";
import { Button } from "#ui/controls/button.tsx";
import { Checkbox } from "#ui/controls/field.tsx";

interface TicksProps<Value> {
  form: Written<Value>;
  /** Of a list of names. */
  name: keyof Value & string;
  legend: string;
  /** Each name with its label, by the title of its group; a single group may have none. */
  groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Several of some choices. */
export function Ticks<Value>({ form, name, legend, groups }: TicksProps<Value>) {
  const chosen = form.value[name] as readonly string[];
  const names = Object.values(groups).flatMap((options) => Object.keys(options));
  const choose = (some: readonly string[], isChosen: boolean) => {
    const ticked = names.filter((one) => (some.includes(one) ? isChosen : chosen.includes(one)));
    form.change({ [name]: ticked } as Partial<Value>);
  };
  return (
    <fieldset className="grid min-w-0 gap-5">
      <legend className="mb-2 font-bold text-sm">{legend}</legend>
      {Object.entries(groups).map(([title, options]) => (
        <Group key={title} title={title} chosen={chosen} names={Object.keys(options)} onChoose={choose}>
          {Object.entries(options).map(([option, words]) => (
            <Checkbox
              key={option}
              name={name}
              label={
                <>
                  {words} <code className="text-fine text-ink-soft">{option}</code>
                </>
              }
              checked={chosen.includes(option)}
              onChange={({ target }) => choose([option], target.checked)}
              error={option === names.at(-1) ? faultOf(form, name) : null}
            />
          ))}
        </Group>
      ))}
    </fieldset>
  );
}

interface GroupProps {
  title: string;
  chosen: readonly string[];
  names: readonly string[];
  onChoose: (names: readonly string[], isChosen: boolean) => void;
  children: ReactNode;
}

function Group({ title, chosen, names, onChoose, children }: GroupProps) {
  if (title === "") return <div className="grid gap-2.5">{children}</div>;
  const areAll = names.every((one) => chosen.includes(one));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would show the title of its own as a legend
    <div role="group" aria-label={title} className="grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b">
        <p className="font-semibold text-sm">{title}</p>
        <Button
          variant="quiet"
          size="small"
          className="-mr-2 px-2! underline"
          aria-label={`${areAll ? "Clear" : "Select all"}: ${title}`}
          onClick={() => onChoose(names, !areAll)}
        >
          {areAll ? "Clear" : "Select all"}
        </Button>
      </div>
      {children}
    </div>
  );
}
