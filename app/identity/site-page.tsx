import { type ReactNode, useContext, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { titled } from "#ui/academy.ts";
import { SiteBar } from "#ui/frame/bar.tsx";
import { SiteFooter } from "#ui/frame/footer.tsx";
import { LandingClaimsContext } from "#ui/frame/landing-claims.ts";
import { operateBar, showBarOf } from "#ui/frame/operate-bar.ts";
import { PageFrame } from "#ui/frame/page-frame.tsx";
import { useCurrentUser } from "./current-user.ts";

interface SitePageProps {
  /** Without the academy's name, which is appended. */
  title: string;
  description: string;
  className?: string;
  children: ReactNode;
}

/** A page of the app with the navigation bar and the footer of the public site. */
export function SitePage({ title, description, className = "pt-20", children }: SitePageProps) {
  const { pathname } = useLocation();
  const claims = useContext(LandingClaimsContext);
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
        title={titled(title)}
        description={description}
        header={<SiteBar path={pathname} claims={claims} />}
        footer={<SiteFooter claims={claims} />}
        className={className}
      >
        {children}
      </PageFrame>
    </div>
  );
}
