import { type ReactNode, useEffect, useRef } from "react";
import { useCurrentUser } from "../identity/current-user.ts";
import { useLocation } from "../navigation/router.tsx";
import { PageFrame } from "../ui/page-frame.tsx";
import { SiteBar } from "./bar.tsx";
import { SiteFooter } from "./footer.tsx";
import { operateBar, showBarOf } from "./operate-bar.ts";

interface SitePageProps {
  /** Without the academy's name, which is added. */
  title: string;
  description: string;
  className?: string;
  children: ReactNode;
}

/** A page of the application with the navigation bar and the footer of the public ones. */
export function SitePage({ title, description, className = "pt-20", children }: SitePageProps) {
  const { pathname } = useLocation();
  const { user } = useCurrentUser();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const bar = frame.current?.querySelector("header");
    return bar ? operateBar(bar) : undefined;
  }, []);
  useEffect(() => showBarOf(user), [user]);
  return (
    <div ref={frame}>
      <PageFrame
        title={`${title} | Academy`}
        description={description}
        header={<SiteBar path={pathname} />}
        footer={<SiteFooter />}
        className={className}
      >
        {children}
      </PageFrame>
    </div>
  );
}
