import { cx } from "class-variance-authority";
import { type DragEvent, useId, useState } from "react";
import { buttonStyle } from "#ui/controls/button.tsx";

interface DropZoneProps {
  label: string;
  invitation: string;
  /** The words of the button. */
  choose: string;
  hint: string;
  /** Endings of names, as a file field takes them. */
  accept: string;
  /** Takes several files, and at least one to send the form. */
  isMultiple?: boolean;
  isDisabled?: boolean;
  fault?: string | undefined;
  onFiles: (files: File[]) => void;
}

/** Takes files by dropping or by a file field. */
export function DropZone({
  label,
  invitation,
  choose,
  hint,
  accept,
  isMultiple = false,
  isDisabled = false,
  fault,
  onFiles,
}: DropZoneProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    if (!isDisabled) onFiles([...event.dataTransfer.files]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; everybody can use the field inside
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={cx(
        "group/drop relative grid gap-2 rounded-sm border-2 border-dashed p-5 text-center focus-within:border-ink",
        isOver ? "border-ink bg-tag text-tag-ink" : fault ? "border-danger bg-sunken" : "border-line-strong bg-sunken",
      )}
    >
      <label htmlFor={id} className="font-bold text-sm">
        {label}
      </label>
      <p className={cx("text-sm", !isOver && "text-ink-soft")}>{invitation}</p>
      <label
        htmlFor={id}
        className={cx(
          buttonStyle({ variant: "outline", size: "small" }),
          "mx-auto group-has-disabled/drop:opacity-55 group-has-focus-visible/drop:outline-3 group-has-focus-visible/drop:outline-focus group-has-focus-visible/drop:outline-offset-3",
        )}
      >
        {choose}
      </label>
      <input
        id={id}
        type="file"
        multiple={isMultiple}
        required={isMultiple}
        disabled={isDisabled}
        accept={accept}
        aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ""}`}
        aria-invalid={fault ? true : undefined}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Lets the same file be chosen again after it was removed: browsers report only changes.
          target.value = "";
        }}
      />
      <p id={`${id}-hint`} className={cx("text-fine", !isOver && "text-ink-soft")}>
        {hint}
      </p>
      {fault && (
        <p id={`${id}-fault`} role="alert" className="font-semibold text-danger text-fine">
          {fault}
        </p>
      )}
    </div>
  );
}
