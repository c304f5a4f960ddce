import { toast } from "#ui/toast/toast.ts";

/** Copies a link, or shows it where the browser forbids that. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: "Link copied" });
  } catch {
    toast({ title: "Copy this link", description: url });
  }
}
