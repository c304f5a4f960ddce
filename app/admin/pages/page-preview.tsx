import { useQuery } from "@tanstack/react-query";
import { answer, textOf } from "#app/api/api.ts";
import { pageOfCopy, previewUrl } from "#contract/admin/content.ts";
import type { CopyPart } from "#contract/copy.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";

/** The public page with all saved drafts, as wide as on a phone. It cannot be used: a link opens the page itself. */
export function PagePreview({ part }: { part: CopyPart }) {
  const { data, isPending, refetch } = useQuery({
    // Below "admin", so that each change fetches it again.
    queryKey: ["admin", "preview", part],
    queryFn: async ({ signal }) => stillOf(await textOf(await answer(previewUrl(part), { signal }))),
  });
  const { section } = pageOfCopy[part];
  return (
    <section aria-label="Preview" className="grid min-w-0 gap-1.5 xl:sticky xl:top-6">
      <p className="font-bold text-sm">Preview</p>
      <p className="text-fine text-ink-soft">On a phone, with all saved drafts.</p>
      {data ? (
        <iframe
          title="The page"
          // Runs no script, even if one is left in the page. With its origin, the page's fonts load and this page can scroll it.
          sandbox="allow-same-origin"
          srcDoc={data}
          loading="lazy"
          onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
            const place = section && contentDocument?.getElementById(section);
            if (place) contentWindow?.scrollTo({ top: place.getBoundingClientRect().top, behavior: "instant" });
          }}
          className="h-[calc(100dvh-8rem)] max-h-200 min-h-80 w-full max-w-[24.5rem] rounded-md border border-line-strong bg-canvas"
        />
      ) : isPending ? (
        <PartLoading what="the preview" />
      ) : (
        <PartFailed what="the preview" retry={refetch} />
      )}
    </section>
  );
}

/** The page without its scripts, which this page's content security policy would refuse. Scripts would also enable its fonts, so this does. */
function stillOf(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const one of page.querySelectorAll("script, noscript, link[rel=modulepreload]")) one.remove();
  page.getElementById("fonts")?.removeAttribute("media");
  const style = page.createElement("style");
  // What is out of sight has its size, so that the section is found, and the bar stays at the top.
  style.textContent = "* { content-visibility: visible !important } .site-bar { position: absolute !important }";
  page.head.append(style);
  page.body.inert = true;
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
