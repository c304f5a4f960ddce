import { type ChangeEvent, type ClipboardEvent, type ComponentProps, useLayoutEffect, useRef } from "react";
import { Input } from "#ui/controls/field.tsx";
import { cardNumberLength, caretAfterDigits, digitsOf, groupCardNumber } from "./card-form.ts";

interface CardNumberInputProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
}

/** Groups the digits during typing, and keeps the caret in place. */
export function CardNumberInput({ value, onChange, ...rest }: CardNumberInputProps) {
  const element = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);

  // React moves the caret to the end whenever the value differs from what was typed.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    element.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  function take(text: string, caretAt: number): void {
    const grouped = groupCardNumber(text);
    caret.current = caretAfterDigits(grouped, digitsOf(text.slice(0, caretAt)).length);
    onChange(grouped);
  }

  function type({ target }: ChangeEvent<HTMLInputElement>): void {
    take(target.value, target.selectionStart ?? target.value.length);
  }

  // The browser would cut a pasted number with surrounding spaces to maxLength, and lose its last digits.
  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = value.slice(0, selectionStart ?? value.length) + event.clipboardData.getData("text");
    take(before + value.slice(selectionEnd ?? value.length), before.length);
  }

  return (
    <Input
      ref={element}
      value={value}
      onChange={type}
      onPaste={paste}
      inputMode="numeric"
      autoComplete="cc-number"
      maxLength={cardNumberLength}
      {...rest}
    />
  );
}
