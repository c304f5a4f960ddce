import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useIsSeen } from "#app/identity/current-user.ts";
import type { Module } from "#contract/catalogue.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { certificateQuery } from "./certificate-query.ts";
import { Issued } from "./issued.tsx";
import { MissingSteps } from "./missing-steps.tsx";
import { NameForm } from "./name-form.tsx";

interface CertificateProps {
  modules: readonly Module[];
  /** False for the team without a plan of their own. */
  isSaved: boolean;
}

/** The student's certificate, or the way to it. */
export function Certificate({ modules, isSaved }: CertificateProps) {
  const section = useRef<HTMLElement>(null);
  const isSeen = useIsSeen();
  const { hash } = useLocation();
  // The router looks for this section before its tab is rendered.
  useEffect(() => {
    if (hash === "#certificate") section.current?.scrollIntoView();
  }, [hash]);
  return (
    <section ref={section} id="certificate" aria-labelledby="certificate-title" className="grid scroll-mt-6 gap-4">
      <h3 id="certificate-title" className="wide text-heading">
        Certificate
      </h3>
      {isSaved || isSeen ? (
        <OwnCertificate modules={modules} />
      ) : (
        <p className="max-w-[62ch] text-ink-soft">
          Certificates are for students with a plan. We don’t save your progress while your role opens the course.
        </p>
      )}
    </section>
  );
}

function OwnCertificate({ modules }: { modules: readonly Module[] }) {
  const [isNew, setIsNew] = useState(false);
  // Watching and answering change it without a call of this page.
  const { data, isPending, isFetching, refetch } = useQuery({ ...certificateQuery, refetchOnMount: "always" });
  if (isPending) return <PartLoading what="your certificate" className="h-40" />;
  if (!data) return <PartFailed what="your certificate" retry={refetch} isRetrying={isFetching} />;
  const { state, missing, certificate } = data;
  if (certificate) return <Issued certificate={certificate} isWithdrawn={state === "withdrawn"} isNew={isNew} />;
  if (state === "earned") return <NameForm onDone={() => setIsNew(true)} />;
  return <MissingSteps modules={modules} missing={missing} />;
}
