import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { Loading } from "#ui/feedback/loading.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

const headings = {
  profile: { title: "My Profile", backTo: href.dashboard(), back: "Back to Dashboard", what: "your profile" },
  subscription: { title: "Your membership", backTo: href.profile(), back: "Back to Profile", what: "your membership" },
  questions: { title: "Questions", backTo: href.dashboard(), back: "Back to Dashboard", what: "the questions" },
  coaching: { title: "Coaching", backTo: href.dashboard(), back: "Back to Dashboard", what: "your coaching" },
};

interface StudentHeadingProps {
  page: keyof typeof headings;
}

/** The heading of a page of the student's area, with the way back. */
export function StudentHeading({ page }: StudentHeadingProps) {
  const { title, backTo, back } = headings[page];
  return (
    <div className="col-span-full flex flex-wrap items-end justify-between gap-x-6 gap-y-5">
      <h1 className="wide min-w-0 text-display wrap-break-word">{title}</h1>
      <Link to={backTo} className={buttonStyle({ variant: "outline" })}>
        {back}
      </Link>
    </div>
  );
}

/** The page until its data has loaded. Also in the first HTML. */
export function StudentOutline({ page }: StudentHeadingProps) {
  return (
    <div className="page-grid items-start gap-y-8">
      <StudentHeading page={page} />
      <Loading className="sr-only">Loading {headings[page].what}</Loading>
      <Skeleton className="col-span-full h-120 lg:col-span-7" />
      <Skeleton className="col-span-full h-72 lg:col-span-5" />
    </div>
  );
}
