import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { saveFile } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { useAskForSignIn } from "#app/identity/fresh-sign-in.tsx";
import { useMay } from "#app/identity/may.tsx";
import { isSignInAgain } from "#app/identity/sign-in-again.ts";
import { type ExportedList, exportUrl } from "#contract/admin/admin.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";

function useSaveFile(url: string, body?: unknown) {
  const askForSignIn = useAskForSignIn();
  return useMutation({
    mutationFn: () => saveFile(url, body),
    onError: (error) =>
      isSignInAgain(error) ? askForSignIn() : toastFailure("Download Failed", error, "Try again in a moment."),
  });
}

/** Downloads the selected rows of a list as CSV. Renders nothing for users who may not export. */
export function ExportSelected({ list, selection }: { list: ExportedList; selection: unknown }) {
  const mayExport = useMay("people:export");
  const save = useSaveFile(exportUrl(list), selection);
  if (!mayExport) return null;
  return (
    <Button variant="outline" size="small" pending={save.isPending} onClick={() => save.mutate()}>
      CSV<span className="sr-only"> of what is selected</span>
    </Button>
  );
}

/**
 * Downloads a list as CSV. Renders nothing for users who may not export. `of` names the list where a page has several.
 * Uses fetch, because a plain link would leave the page when the server requires a sign-in first.
 */
export function ExportLink({ url, of }: { url: string; of?: string }) {
  const mayExport = useMay("people:export");
  const save = useSaveFile(url);
  function start(event: MouseEvent): void {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  }
  if (!mayExport) return null;
  return (
    <a href={url} download className={buttonStyle({ variant: "outline" })} aria-busy={save.isPending} onClick={start}>
      CSV{of && <span className="sr-only"> of {of}</span>}
    </a>
  );
}
