import type { ComponentProps } from "react";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";

/** Browsers may forbid copying, and then leave it to the reader. */
export function CopyButton({ text, ...button }: { text: string } & ComponentProps<typeof Button>) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied" });
    } catch {
      toast({ title: "Your browser doesn’t allow copying. Select the text and copy it." });
    }
  }
  return <Button variant="outline" {...button} onClick={() => void copy()} />;
}
