import { useEffect } from "react";
import { toast } from "#ui/toast/toast.ts";
import { Island } from "./island.tsx";

/** Shows a toast for each failed click. The first one hydrates it. */
export function SignUpFailure({ reason }: { reason: string }) {
  useEffect(() => {
    const show = () => toast({ title: "Error", description: reason, destructive: true });
    show();
    window.addEventListener("sign-up-failed", show);
    return () => window.removeEventListener("sign-up-failed", show);
  }, [reason]);
  return <Island>{null}</Island>;
}
