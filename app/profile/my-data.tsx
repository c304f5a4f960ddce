import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { exportData } from "#contract/profile.ts";
import { messageOf, saveFile } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { isSignInAgain, SignInAgain } from "./sign-in-again.tsx";

/** Taking one's data along, and leaving. `onDeleted` is called when the account is gone. */
export function MyData({ email, onDeleted }: { email: string; onDeleted: () => void }) {
  const [mustSignIn, setMustSignIn] = useState(false);
  const download = useMutation({
    mutationFn: () => saveFile(exportData.path),
    onSuccess: () => toast({ title: "Download Started" }),
    onError: (error) => {
      if (isSignInAgain(error)) setMustSignIn(true);
      else toast({ title: "Download Failed", description: messageOf(error, "Try again."), destructive: true });
    },
  });
  return (
    <Card tone="raised">
      <section id="my-data" aria-labelledby="my-data-title" className="grid scroll-mt-24 gap-5">
        <div>
          <h2 id="my-data-title" className="font-bold text-heading">
            My data
          </h2>
          <p className="mt-1 text-ink-soft">
            Everything that we keep about you, as one archive: your profile, purchases, progress and messages.
          </p>
        </div>
        <Button variant="outline" className="justify-self-start" pending={download.isPending} onClick={() => download.mutate()}>
          Download my data
        </Button>
        <SignInAgain open={mustSignIn} onOpenChange={setMustSignIn} purpose="download your data" />
        <DeleteAccount email={email} onDeleted={onDeleted} />
      </section>
    </Card>
  );
}
