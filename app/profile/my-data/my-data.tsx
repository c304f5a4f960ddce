import { useIsFetching, useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { saveFile } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { FreshSignIn } from "#app/identity/fresh-sign-in.tsx";
import { exportData } from "#contract/profile.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { DeleteAccount } from "./delete-account.tsx";

/** Export of the user's data, and deletion of the account. Calls `onDeleted` after the deletion. */
export function MyData({ email, onDeleted }: { email: string; onDeleted: () => void }) {
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  const isLoading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  // After a sign-in, the browser looks for this section before it is rendered, and parts that load above it move it
  // down.
  useEffect(() => {
    if (hash === "#my-data" && !isLoading) section.current?.scrollIntoView();
  }, [hash, isLoading]);
  const download = useMutation({
    mutationFn: () => saveFile(exportData.path),
    onSuccess: () => toast({ title: "Download Started" }),
    onError: (error) => toastFailure("Download Failed", error, "Try again."),
  });
  return (
    <Card tone="raised">
      {/* A deletion is confirmed on this page, and never happens on its own after a return to it. */}
      <FreshSignIn canResume={false}>
        <section ref={section} id="my-data" aria-labelledby="my-data-title" className="grid scroll-mt-6 gap-5">
          <div>
            <h2 id="my-data-title" className="font-bold text-heading">
              My data
            </h2>
            <p className="mt-1 text-ink-soft">
              Download everything we store about you: your profile, purchases, progress and messages.
            </p>
          </div>
          <Button
            variant="outline"
            className="justify-self-start"
            pending={download.isPending}
            onClick={() => download.mutate()}
          >
            Download my data
          </Button>
          <DeleteAccount email={email} onDeleted={onDeleted} />
        </section>
      </FreshSignIn>
    </Card>
  );
}
