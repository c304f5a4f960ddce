import type { VariantProps } from "class-variance-authority";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { useRecovery } from "./recovery.ts";

interface RetryProps extends Pick<VariantProps<typeof buttonStyle>, "size" | "variant"> {
  retry: () => unknown;
  isRetrying?: boolean;
}

/** A button that retries, or the recovery link when retrying does not help. */
export function Retry({ retry, isRetrying = false, ...look }: RetryProps) {
  const recovery = useRecovery();
  if (recovery) {
    const { label, to, onPress } = recovery.link;
    return (
      <a href={to} onClick={onPress} className={buttonStyle(look)}>
        {label}
      </a>
    );
  }
  return (
    <Button {...look} pending={isRetrying} onClick={() => retry()}>
      Retry
    </Button>
  );
}
