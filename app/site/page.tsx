import { type ReactNode, useEffect } from "react";
import { useLocation } from "../navigation/router.tsx";
import { PageFrame } from "../ui/page-frame.tsx";
import { SiteBar } from "./bar.tsx";
import { SiteFooter } from "./footer.tsx";

interface SitePageProps {
  /** Without the academy's name, which is added; the landing page gives none. */
  title?: string;
  description: string;
  className?: string;
  children: ReactNode;
}

/** A page with the navigation bar and the footer. */
export function SitePage({ title, description, className = "pt-20", children }: SitePageProps) {
  useCanonicalAddress();
  return (
    <PageFrame
      title={title ? `${title} | Academy` : "Academy | Retail arbitrage, taught from the shelf up"}
      description={description}
      header={<SiteBar />}
      footer={<SiteFooter />}
      className={className}
    >
      {children}
    </PageFrame>
  );
}

/** The build names each page's address in its head; browsers share that one, so it follows the reader to other pages. */
function useCanonicalAddress(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
    if (link) link.href = new URL(pathname, link.href).href;
  }, [pathname]);
}
