import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { Icon } from "#ui/icon.tsx";

export interface RowAction {
  label: string;
  /** Shown beside the label in a menu, and on hover. */
  hint?: string | undefined;
  isDangerous?: boolean;
  isPending?: boolean;
  onPress: () => void;
}

interface RowActionsProps {
  /** Completes the name for screen readers, which read one button among fifty, such as "Ada Shelf". */
  of: string;
  actions: readonly (RowAction | false)[];
  /** Shows the word "Actions" instead of three dots, where the record is open. */
  isOpen?: boolean | undefined;
}

/** What the user may do with a row: a menu. Where the record is open, a single action is a button. */
export function RowActions({ of, actions, isOpen }: RowActionsProps) {
  const offered = actions.filter((action) => action !== false);
  const [first] = offered;
  if (!first) return null;
  if (offered.length === 1 && isOpen) return <OnlyAction of={of} action={first} />;
  const label = `Actions for ${of}`;
  const items = offered.map(({ label, hint, isDangerous = false, isPending = false, onPress }) => (
    <MenuItem key={label} isDangerous={isDangerous} disabled={isPending} onSelect={onPress}>
      {label}
      {hint && <span className="ml-auto pl-4 text-fine text-ink-soft"> {hint}</span>}
    </MenuItem>
  ));
  if (!isOpen) return <Menu label={label}>{items}</Menu>;
  const trigger = (
    <Button variant="outline" size="small" aria-label={label}>
      Actions
      <Icon name="down" className="w-3" />
    </Button>
  );
  return <Menu trigger={trigger}>{items}</Menu>;
}

interface OnlyActionProps {
  of: string;
  action: RowAction;
}

function OnlyAction({ of, action: { label, hint, isDangerous, isPending = false, onPress } }: OnlyActionProps) {
  return (
    <Button
      variant="outline"
      size="small"
      aria-label={`${label}, ${of}`}
      title={hint}
      pending={isPending}
      className={isDangerous ? "px-2! focus-visible:text-danger" : "px-2!"}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
