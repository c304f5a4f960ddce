import { faultOf, type Written } from "#app/editing/written.ts";
import { Checkbox } from "#ui/controls/field.tsx";

interface TicksProps<Value> {
  form: Written<Value>;
  /** Of a list of names. */
  name: keyof Value & string;
  legend: string;
  /** Each name with its label. */
  options: Readonly<Record<string, string>>;
}

/** Several of some choices. */
export function Ticks<Value>({ form, name, legend, options }: TicksProps<Value>) {
  const chosen = form.value[name] as readonly string[];
  const names = Object.keys(options);
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 font-bold text-sm">{legend}</legend>
      {names.map((option, at) => (
        <Checkbox
          key={option}
          name={name}
          label={
            <>
              {options[option]} <code className="text-fine text-ink-soft">{option}</code>
            </>
          }
          checked={chosen.includes(option)}
          onChange={({ target }) => {
            const ticked = names.filter((one) => (one === option ? target.checked : chosen.includes(one)));
            form.change({ [name]: ticked } as Partial<Value>);
          }}
          error={at === names.length - 1 ? faultOf(form, name) : null}
        />
      ))}
    </fieldset>
  );
}
