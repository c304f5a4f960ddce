import { cx } from "class-variance-authority";
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { Icon } from "#ui/icon.tsx";

const FieldContext = createContext<{
  id: string;
  name: string | undefined;
  describedBy: string | undefined;
  invalid: boolean;
} | null>(null);

interface FieldProps {
  label: ReactNode;
  /** The control's name, by which forms show its faults. */
  name?: string;
  /** Always shown below the label. */
  hint?: ReactNode;
  /** The control's fault. Null or undefined without one. */
  error?: string | null | undefined;
  className?: string | undefined;
  /** A single Input, Textarea or Select. It gets the label, hint and error automatically. */
  children: ReactNode;
}

export function Field({ label, name, hint, error, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = cx(hint ? hintId : null, error ? errorId : null) || undefined;
  return (
    <div className={cx("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className="font-bold text-sm">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-fine text-ink-soft">
          {hint}
        </p>
      )}
      <FieldContext value={{ id, name, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {error && (
        <p id={errorId} role="alert" className="font-semibold text-danger text-fine">
          {error}
        </p>
      )}
    </div>
  );
}

/** The attributes that connect a control to its Field. Empty outside of a Field. */
function useFieldAttributes() {
  const field = useContext(FieldContext);
  if (!field) return {};
  const { id, name } = field;
  return {
    id,
    ...(name !== undefined && { name }),
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
  };
}

const control =
  "w-full min-h-11 rounded-sm border-[1.5px] border-line-strong bg-surface px-3.5 py-2 text-base text-ink transition-colors placeholder:text-ink-soft hover:border-ink focus-visible:border-ink focus-visible:outline-offset-1 aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-soft [&[readonly]]:bg-sunken";

// With `type="email"`, browsers refuse or rewrite international addresses.
const emailAttributes = { type: "text", inputMode: "email", autoCapitalize: "none", spellCheck: false } as const;

export function Input({ className, ...rest }: ComponentProps<"input">) {
  const typed = rest.type === "email" ? emailAttributes : {};
  return <input dir="auto" {...useFieldAttributes()} {...rest} {...typed} className={cx(control, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea dir="auto" {...useFieldAttributes()} {...rest} className={cx(control, "resize-y", className)} />;
}

/** The native select, which works best on phones. Options are `<option>` elements. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className="relative block">
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cx(control, "appearance-none text-ellipsis bg-surface pr-10", className)}
      >
        {children}
      </select>
      <Icon name="down" className="pointer-events-none absolute top-1/2 right-3.5 w-3 -translate-y-1/2 text-ink" />
    </span>
  );
}

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  error?: string | null | undefined;
}

export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const errorId = useId();
  return (
    <div className={className}>
      <label className="flex items-start gap-3 text-sm leading-normal">
        <input
          {...rest}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className="mt-0.5 size-5 shrink-0 accent-action"
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={errorId} role="alert" className="mt-1 pl-8 font-semibold text-danger text-fine">
          {error}
        </p>
      )}
    </div>
  );
}
